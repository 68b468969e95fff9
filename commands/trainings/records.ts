import type { Price, Reference } from '../../domain/billing/credits.js';
import { Rejected } from '../../domain/rejected.js';
import {
  isTrainingId,
  trainingJournalId,
  trainingNotFound,
  trainings,
  type CompleteTraining,
  type FailTraining,
  type LoseTraining,
  type TrainingCommand,
} from '../../domain/trainings/decider.js';
import type {
  QueuedWhat,
  TrainingFact,
  TrainingPrepared,
  TrainingProgressed,
  TrainingQueued,
} from '../../domain/trainings/facts.js';
import { isOpen, type KnownTraining, type TrainingState } from '../../domain/trainings/state.js';
import type { Credits } from '../billing/credits.js';
import type { Context, Handle, Load, Outcome } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import type { Resolved } from './resolving.js';

/** How a training is named in ledgers. */
export const paidFor = (trainingId: string): Reference => ({ type: 'training', id: trainingId });

type Said = Pick<
  TrainingQueued['data'],
  'segmentId' | 'seed' | 'metric' | 'trigger' | 'pipelineId' | 'cycleId' | 'retryOf' | 'against' | 'owner'
>;
/**
 * A training to be queued. `trainingId`: what is queued under the same id is queued once; null: a new one.
 * `unpaid`: what becomes of it where credits do not suffice.
 */
export type TrainingWanted = Said & {
  readonly trainingId: string | null;
  readonly model: Resolved;
  readonly unpaid: 'refuse' | 'skip';
};
type Written = Outcome<TrainingFact, TrainingState>;
export type Queued = {
  readonly trainingId: string;
  readonly position: number | null;
  readonly training: KnownTraining;
};

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly credits: Pick<Credits, 'priceOf' | 'hold' | 'charge' | 'release'>;
};
export type TrainingCommands = ReturnType<typeof trainingCommands>;

/** What a training of a model costs. */
export const priceOfTraining = (
  { priceOf }: Pick<Credits, 'priceOf'>,
  { what }: Pick<Resolved, 'what'>,
): Price =>
  priceOf(what.kind === 'foundation' ? `finetune.${what.fineTune.intensity}` : 'training.custom', 1);

/** What is written of trainings, and what is held and charged for them. */
export function trainingCommands({ handle, load, credits }: Deps) {
  /** Whoever ends it ends its hold: what a crash leaves open is settled later. */
  async function give(command: TrainingCommand, context: Context): Promise<Written> {
    const { workspace, trainingId } = command.data;
    const outcome = await handle(trainings, command, { ...context, workspace });
    const last = outcome.facts.at(-1);
    if (last?.type === 'TrainingCompleted') credits.charge(workspace, paidFor(trainingId), context);
    if (last?.type === 'TrainingCancelled' && last.data.used)
      credits.charge(workspace, paidFor(trainingId), context, last.data.used);
    else if (last && last.type in RELEASED)
      credits.release(workspace, paidFor(trainingId), RELEASED[last.type as keyof typeof RELEASED], context);
    return outcome;
  }

  /** @throws Rejected 404 */
  async function read(workspace: string, trainingId: string): Promise<KnownTraining> {
    if (!isTrainingId(trainingId)) throw trainingNotFound(trainingId);
    const state = await load(trainings, trainingJournalId(workspace, trainingId));
    if (state.status === 'none') throw trainingNotFound(trainingId);
    return state;
  }

  return {
    read,

    /** @throws Rejected 402 */
    async queue(workspace: string, wanted: TrainingWanted, context: Context): Promise<Queued> {
      const { trainingId: given, model, unpaid, ...said } = wanted;
      const trainingId = given ?? newId('trn_');
      const before = given && (await load(trainings, trainingJournalId(workspace, given)));
      if (before && before.status !== 'none') return { trainingId, position: null, training: before };
      const price = priceOfTraining(credits, model);
      const line = { price, reference: paidFor(trainingId), pipelineId: said.pipelineId };
      const refused = await credits.hold(workspace, line, { ...context, workspace }).then(
        () => null,
        (error: unknown) => unpaidOr(error, unpaid),
      );
      const { intensity, lookback, horizon, blueprint } = model;
      const data = {
        ...{ workspace, trainingId, ...said, what: named(model.what), blueprint },
        ...{ intensity, lookback, horizon, price },
        skipped: refused && { code: refused.code, message: refused.message },
      };
      const { after, position } = await give({ type: 'QueueTraining', data }, context);
      const training = after as KnownTraining;
      // Somebody else queued it meanwhile, and it is over already
      if (!refused && !isOpen(training.status))
        credits.release(workspace, paidFor(trainingId), 'cancelled', context);
      return { trainingId, position, training };
    },

    /** Takes it; `attempt` null: somebody else has it, or it is over. */
    async claim(workspace: string, trainingId: string, worker: string, context: Context) {
      const outcome = await give({ type: 'ClaimTraining', data: { workspace, trainingId, worker } }, context);
      const { facts, position, after } = outcome;
      const claimed = facts.find(({ type }) => type === 'TrainingClaimed');
      return { training: after as KnownTraining, position, isMine: claimed !== undefined };
    },
    prepare: (workspace: string, prepared: TrainingPrepared['data'], context: Context) =>
      give({ type: 'PrepareTraining', data: { workspace, ...prepared } }, context),
    /** Whether it is still wanted of this attempt. */
    async progress(workspace: string, progressed: TrainingProgressed['data'], context: Context) {
      const data = { workspace, ...progressed };
      const { facts, position } = await give({ type: 'ProgressTraining', data }, context);
      return { isWanted: facts.length > 0, position };
    },
    complete: (data: CompleteTraining['data'], context: Context) =>
      give({ type: 'CompleteTraining', data }, context),
    fail: (data: FailTraining['data'], context: Context) => give({ type: 'FailTraining', data }, context),
    lose: (data: LoseTraining['data'], context: Context) => give({ type: 'LoseTraining', data }, context),
    /** One that waits still is not done; another one stays as it is. */
    skip: (
      workspace: string,
      trainingId: string,
      why: { readonly code: string; readonly message: string },
      context: Context,
    ) => give({ type: 'SkipTraining', data: { workspace, trainingId, ...why } }, context),
    /** @throws Rejected 404; 409 once it is over */
    async cancel(workspace: string, trainingId: string, context: Context): Promise<Written> {
      if (!isTrainingId(trainingId)) throw trainingNotFound(trainingId);
      return give({ type: 'CancelTraining', data: { workspace, trainingId } }, context);
    },

    /** What became of a training, as its facts tell it: for holds that nobody ended. */
    async became(workspace: string, trainingId: string) {
      const state = await load(trainings, trainingJournalId(workspace, trainingId));
      if (state.status === 'none') return 'unknown';
      if (isOpen(state.status)) return 'under way';
      if (state.status === 'completed') return 'completed';
      if (state.status === 'cancelled') return state.used ? { used: state.used } : 'cancelled';
      return 'failed';
    },
  };
}

const RELEASED = {
  TrainingFailed: 'failed',
  TrainingSkipped: 'failed',
  TrainingCancelled: 'cancelled',
} as const;

/** An adapter has its id from the beginning on. */
const named = (what: Resolved['what']): QueuedWhat =>
  what.kind === 'foundation' ? { ...what, adapterId: newId('adp_') } : what;

function unpaidOr(error: unknown, unpaid: TrainingWanted['unpaid']): Rejected {
  if (unpaid === 'skip' && error instanceof Rejected && error.kind === 'unpaid') return error;
  throw error;
}
