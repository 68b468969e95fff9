import { roomWord } from './room.js';
import { embedded } from './place.js';
import type { Readiness } from '../api/edge/platform.js';
import { projections, type Platform } from '../main.js';
import { SECOND } from '../domain/time.js';
import { setAsideQueries } from '../workers/engine/set-aside-facts.js';

const ANSWER_WITHIN_MS = 2 * SECOND;
const LAG_MAX_MS = 60 * SECOND;
/** Scheduled events are marked due four times a second; one that waits longer says that nobody does it. */
const DUE_WITHIN_MS = 30 * SECOND;

/** What `/ready` answers: each part in a word, and how far what runs in the background is behind. */
export async function readiness(platform: Platform): Promise<Readiness> {
  const { config, stores, projectors, areas, clock, serving, unserved } = platform;
  const { events } = areas;
  const [log, lag, backlog, due, parked, room] = await Promise.all([
    timed(stores.events.head()),
    timed(projectors.lag(projections.map(serving))),
    timed(events.backlog()),
    timed(events.queries.due(clock() - DUE_WITHIN_MS, 1)),
    timed(setAsideQueries(stores.models).count({ state: 'parked' })),
    embedded(config) ? timed(roomWord(config.DATA_DIR)) : null,
  ]);
  const holding = {
    database: (lag === null && log !== null) || backlog === null ? UNREACHED : 'ok',
    event_log: log === null ? UNREACHED : 'ok',
    projections: projectionsWord(lag, unserved()),
    ...(embedded(config) && { disk: room ?? UNREACHED }),
  };
  return {
    // Late events and parked facts hold up no request
    ready: Object.values(holding).every(word => word === 'ok'),
    checks: { ...holding, scheduler: schedulerWord(due?.due.length), reactors: reactorsWord(parked) },
    figures: {
      ...(lag !== null && { projection_lag_ms: lag }),
      ...(backlog !== null && { scoring_backlog: backlog }),
      ...(parked !== null && { parked_facts: parked }),
    },
  };
}

/** `lag`: ms; `unserved`: which have nothing to read from yet. */
function projectionsWord(lag: number | null, unserved: string | null): string {
  if (lag === null) return UNREACHED;
  if (unserved) return `first build: ${unserved}`;
  return lag > LAG_MAX_MS ? `${Math.round(lag / SECOND)} s behind the event log` : 'ok';
}

const UNREACHED = 'no answer';

function schedulerWord(late: number | undefined): string {
  if (late === undefined) return UNREACHED;
  return late > 0 ? 'scheduled events are late' : 'ok';
}
function reactorsWord(parked: number | null): string {
  if (parked === null) return UNREACHED;
  return parked > 0 ? `parked facts: ${parked}` : 'ok';
}

/** Null when a store refuses, or does not answer in time. */
async function timed<T>(asked: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, null);
  });
  return Promise.race([asked.catch(() => null), late]).finally(() => clearTimeout(timer));
}
