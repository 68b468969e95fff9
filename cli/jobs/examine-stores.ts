import { versionsOf } from '../../adapters/versions.js';
import { START } from '../../domain/fact.js';
import { iso, SECOND } from '../../domain/time.js';
import { projections, type Platform } from '../../main.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { ok, problem, warning, type Finding } from './finding.js';

const LAG_MAX_MS = 60 * SECOND;
/** Clocks of several machines differ by a little. */
const AHEAD_MS = 5 * SECOND;

const timing = async (work: () => Promise<unknown>): Promise<string> => {
  const start = performance.now();
  await work();
  return `answers in ${(performance.now() - start).toFixed(1)} ms`;
};

export const eventStore = async ({ config, stores }: Platform): Promise<Finding[]> => {
  const { events } = await versionsOf(config);
  const latency = await timing(() => stores.events.head());
  const head = await stores.events.head();
  const found = ok(
    'event store',
    `${events}, ${latency}, ${head === START ? 'empty' : `last position ${head}`}`,
  );
  const nobody = warning(
    'event store',
    'nobody is here yet',
    'presage bootstrap makes a workspace and a token',
  );
  return head === START ? [found, nobody] : [found];
};

export const readModels = async ({ config, stores, generations }: Platform): Promise<Finding[]> => {
  const { models } = await versionsOf(config);
  const [first] = projections;
  const latency = await timing(() =>
    stores.models.checkpoint(checkpointName(first!, generations.generationOf(first!))),
  );
  return [ok('read models', `${models}, ${latency}`), ...(await leftOver({ stores, generations }))];
};

/** What an interrupted replay, or an older version of the program, left behind. */
async function leftOver({
  stores,
  generations,
}: Pick<Platform, 'stores' | 'generations'>): Promise<Finding[]> {
  const known = new Set(
    projections.flatMap(p => collectionsOf(p, generations.generationOf(p)).map(({ name }) => name)),
  );
  const others = (await stores.models.collections()).filter(
    name => !known.has(name) && /_v\d+(_r\d+)?$/.test(name),
  );
  if (others.length === 0) return [];
  return [
    warning(
      'read models',
      `collections that nothing reads: ${others.join(', ')}`,
      'a replay is at work, or one was interrupted, or an older version made them; '
        + 'the next replay drops those of a replay',
    ),
  ];
}

export const projectionsStand = async (platform: Platform): Promise<Finding[]> => {
  // In this order: the head of a log at work is never behind what was projected before
  const places = await Promise.all(projections.map(platform.projectors.positionOf));
  const lag = await platform.projectors.lag(projections.map(platform.serving));
  const head = await platform.stores.events.head();
  const found = projections.map((p, i) =>
    standing(checkpointName(p, platform.generations.generationOf(p)), places[i]!, head),
  );
  const behind = warning(
    'projections',
    `the oldest fact not projected was written ${Math.round(lag / SECOND)} s ago`,
    'normal after an upgrade or a lost store, it catches up; '
      + 'otherwise see the log of the process with the role projections',
  );
  return lag <= LAG_MAX_MS ? found : [...found, behind];
};

function standing(name: string, position: number, head: number): Finding {
  if (position === head) return ok('projections', `${name} holds every fact`);
  if (position < head) return ok('projections', `${name} stands at ${position} of ${head}`);
  return problem(
    'projections',
    `${name} stands at ${position}, but the last fact is ${head}: it is not from this log`,
    'after restoring an older log: presage replay',
  );
}

export const clocks = async ({ config, stores, clock }: Platform): Promise<Finding[]> => {
  const now = clock();
  const head = await stores.events.head();
  // Only the embedded store has a fact at every position
  const [last] = config.EVENTSTORE_URL || head === START ? [] : await stores.events.page(head - 1, 1);
  if (!last || last.at <= now + AHEAD_MS) return [ok('clock', iso(now))];
  return [
    warning(
      'clock',
      `it is ${iso(now)} here, but the last fact was written at ${iso(last.at)}`,
      'set the clock right; scheduled events go by it',
    ),
  ];
};
