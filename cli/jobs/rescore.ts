import { openScorer } from '../../areas/scorer.js';
import type { Context } from '../../commands/engine/handle.js';
import { rescoring, type RescoreProgress } from '../../workers/rescoring.js';
import { progress, result, type Job } from './job.js';

export type Rescored = RescoreProgress & { readonly version: string; readonly ms: number };
/** `of`: how many events there were at the beginning. */
export type Rescoring = RescoreProgress & { readonly of: number };

const CONCURRENCY = 16;

/** Gives every event scores of the model that is installed, as new facts; the old ones stay in the log. */
export const rescoreJob: Job<object> = async function* ({ platform, signal }) {
  const { areas, handle, load, newId, clock, visible, log } = platform;
  const { profileOf, queries: events } = areas.events;
  const start = clock();
  const { count: of } = await events.totals();
  const correlation = newId();
  const contextOf = (workspace: string): Context => ({
    workspace,
    actor: 'operator',
    request: null,
    correlation,
    causation: null,
    at: clock(),
  });
  const scorer = await openScorer(platform);
  try {
    let last: RescoreProgress = { seen: 0, rescored: 0, failed: 0, position: null };
    for await (last of rescoring({
      queries: events,
      scorer,
      profileOf,
      handle,
      load,
      contextOf,
      concurrency: CONCURRENCY,
      signal,
      failed: (eventId, err) => log.error({ err, eventId }, 'an event could not be scored anew'),
    }))
      yield progress({ ...last, of } satisfies Rescoring);
    await visible(last.position);
    if (!signal.aborted)
      yield result({ ...last, version: scorer.version, ms: clock() - start } satisfies Rescored);
  } finally {
    await scorer.close();
  }
};
