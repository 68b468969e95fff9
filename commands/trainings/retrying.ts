import type { Millicredits } from '../../domain/billing/credits.js';
import type { Credits } from '../billing/credits.js';
import type { Context } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import { priceOfTraining, type Queued, type TrainingCommands, type TrainingWanted } from './records.js';

type Of = { readonly workspace: string; readonly pipelineId: string; readonly trainingId: string };
/** Asked of pipelines. */
export type Retries = {
  /** Counts it to the cap of its pipeline. @throws Rejected 409 where it would go past it */
  readonly start: (retry: Of & { readonly price: Millicredits }, context: Context) => Promise<unknown>;
  readonly end: (retry: Of & { readonly charged: Millicredits }, context: Context) => Promise<unknown>;
  /** Waits, a bounded time, until the read models of pipelines hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};
type Deps = {
  readonly commands: Pick<TrainingCommands, 'queue' | 'became'>;
  readonly credits: Pick<Credits, 'priceOf'>;
  readonly retries: Pick<Retries, 'start' | 'end'>;
};

/**
 * Queues a training that is tried once more; one of a pipeline counts to its cap first. Where it comes to
 * nothing it counts no more, after a kill between the two a while later.
 * @throws Rejected 402, and 409 `budget_exhausted`
 */
export async function retry(
  { commands, credits, retries }: Deps,
  workspace: string,
  wanted: Omit<TrainingWanted, 'trainingId'>,
  context: Context,
): Promise<Queued> {
  const { pipelineId, model } = wanted;
  const trainingId = newId('trn_');
  const training = { ...wanted, trainingId };
  if (pipelineId === null) return commands.queue(workspace, training, context);
  const of = { workspace, pipelineId, trainingId };
  await retries.start({ ...of, price: priceOfTraining(credits, model).amount }, context);
  try {
    return await commands.queue(workspace, training, context);
  } catch (error) {
    // Whatever went wrong may have queued it; where this fails, too, it is done later, as after a kill
    await commands
      .became(workspace, trainingId)
      .then(what => (what === 'unknown' ? retries.end({ ...of, charged: 0 }, context) : null))
      .catch(() => null);
    throw error;
  }
}
