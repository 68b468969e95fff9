import type { Readiness } from '../api/edge/platform.js';
import type { Platform } from '../main.js';
import { SECOND } from '../domain/time.js';

const ANSWER_WITHIN_MS = 2 * SECOND;
const LAG_MAX_MS = 60 * SECOND;
/** Scheduled events are marked due four times a second; one that waits longer says that nobody does it. */
const DUE_WITHIN_MS = 30 * SECOND;

/** What `/ready` answers: each part in a word, and how far what runs in the background is behind. */
export async function readiness(platform: Platform): Promise<Readiness> {
  const { stores, projectors, areas, clock } = platform;
  const { events } = areas;
  const [log, lag, backlog, due] = await Promise.all([
    timed(stores.events.head()),
    timed(projectors.lag()),
    timed(events.backlog()),
    timed(events.queries.due(clock() - DUE_WITHIN_MS, 1)),
  ]);
  const seconds = Math.round((lag ?? 0) / SECOND);
  const checks = {
    database: (lag === null && log !== null) || backlog === null ? UNREACHED : 'ok',
    event_log: log === null ? UNREACHED : 'ok',
    projections: lag === null ? UNREACHED : lag > LAG_MAX_MS ? `${seconds} s behind the event log` : 'ok',
    scheduler: due === null ? UNREACHED : due.due.length > 0 ? 'scheduled events are late' : 'ok',
  };
  const { projections, database, event_log } = checks;
  return {
    // A late scheduler holds up no request
    ready: [projections, database, event_log].every(word => word === 'ok'),
    checks,
    figures: {
      ...(lag !== null && { projection_lag_ms: lag }),
      ...(backlog !== null && { scoring_backlog: backlog }),
    },
  };
}

const UNREACHED = 'no answer';

/** Null when a store refuses, or does not answer in time. */
async function timed<T>(asked: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, null);
  });
  return Promise.race([asked.catch(() => null), late]).finally(() => clearTimeout(timer));
}
