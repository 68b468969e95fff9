import type { Context } from '../commands/engine/handle.js';
import type { PipelineCommands } from '../commands/pipelines/records.js';
import type { Log } from '../commands/ports/log.js';
import { MINUTE, SECOND } from '../domain/time.js';
import type { PipelineDoc } from '../projections/pipelines/documents.js';
import type { PipelineQueries } from '../projections/pipelines/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

export type LostRetriesDeps = {
  readonly queries: Pick<PipelineQueries, 'retryingSince'>;
  readonly commands: Pick<PipelineCommands, 'endRetry'>;
  /** What became of a training; `unknown`: there is none. */
  readonly became: (workspace: string, trainingId: string) => Promise<unknown>;
  readonly clock: () => number;
  readonly contextOf: (doc: PipelineDoc) => Context;
  readonly log: Log;
};

const EVERY_MS = 15 * SECOND;
/** Whoever counts a retry queues its training mostly at once: within this time. */
const LOST_MS = 10 * MINUTE;

/** Ends retries that were counted, and whose training was never queued, as after a kill between the two. */
export function lostRetries(deps: LostRetriesDeps): Running {
  const { queries, clock, log } = deps;
  return rounds(EVERY_MS, log, 'retries could not be looked for; tried again', async goesOn => {
    const by = clock() - LOST_MS;
    for await (const page of queries.retryingSince(by))
      for (const doc of page) {
        if (!goesOn()) return;
        await settle(deps, doc, by).catch((err: unknown) =>
          log.error({ err, pipeline: doc.pipeline_id }, 'a retry could not be ended; tried again'),
        );
      }
  });
}

async function settle({ commands, became, contextOf }: LostRetriesDeps, doc: PipelineDoc, by: number) {
  const { workspace, pipeline_id: pipelineId, state } = doc;
  for (const { trainingId, at } of state.retries ?? [])
    if (at <= by && (await became(workspace, trainingId)) === 'unknown')
      await commands.endRetry({ workspace, pipelineId, trainingId, charged: 0 }, contextOf(doc));
}
