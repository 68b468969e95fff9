import { readModelFiles, defaultModelDir } from '../../adapters/scorer/files.js';
import { versionsOf } from '../../adapters/versions.js';
import { START } from '../../domain/fact.js';
import { iso, SECOND } from '../../domain/time.js';
import { projections, type Platform } from '../../main.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { failureOf } from '../exit.js';
import { row, type Job } from './job.js';

/** One line of an examination; `todo`: what to do about it. */
export type Finding = {
  readonly part: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo?: string;
};

export const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text });
export const warning = (part: string, text: string, todo: string): Finding => ({
  part,
  state: 'warning',
  text,
  todo,
});
export const problem = (part: string, text: string, todo: string): Finding => ({
  part,
  state: 'problem',
  text,
  todo,
});

type Examination = {
  readonly part: string;
  readonly look: (platform: Platform) => Promise<Finding[]>;
  readonly todo: string;
};

const LOG_TODO = 'see that the event store runs and EVENTSTORE_URL names it';
const MODELS_TODO = 'see that the store of the read models runs and MONGODB_URL names it';
const ANSWER_WITHIN_MS = 10 * SECOND;
const LAG_MAX_MS = 60 * SECOND;
const LATE_MS = 30 * SECOND;
/** Clocks of several machines differ by a little. */
const AHEAD_MS = 5 * SECOND;

/** Looks at everything that an open platform is made of; rows are findings. */
export const doctorJob: Job<object> = async function* ({ platform, signal }) {
  for (const { part, look, todo } of examinations) {
    if (signal.aborted) return;
    const found = await answered(look(platform)).catch((error: unknown) => [
      problem(part, failureOf(error).message, todo),
    ]);
    for (const finding of found) yield row(finding);
  }
};

/** One that never answers is a finding, too. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${ANSWER_WITHIN_MS / SECOND} s`)),
      ANSWER_WITHIN_MS,
    );
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

const timing = async (work: () => Promise<unknown>): Promise<string> => {
  const start = performance.now();
  await work();
  return `answers in ${(performance.now() - start).toFixed(1)} ms`;
};

const eventStore = async ({ config, stores }: Platform): Promise<Finding[]> => {
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

const readModels = async ({ config, stores, generations }: Platform): Promise<Finding[]> => {
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
      'a replay is at work, or one was interrupted, or an older version made them; the next replay drops those of a replay',
    ),
  ];
}

const projectionsStand = async (platform: Platform): Promise<Finding[]> => {
  // In this order: the head of a log at work is never behind what was projected before
  const places = await Promise.all(projections.map(platform.projectors.positionOf));
  const lag = await platform.projectors.lag();
  const head = await platform.stores.events.head();
  const found = projections.map((p, i) =>
    standing(checkpointName(p, platform.generations.generationOf(p)), places[i]!, head),
  );
  const behind = warning(
    'projections',
    `the oldest fact not projected was written ${Math.round(lag / SECOND)} s ago`,
    'normal after an upgrade or a lost store, it catches up; otherwise see the log of the process with the role projections',
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

const background = async ({ areas: { events }, config, clock }: Platform): Promise<Finding[]> => {
  const waiting = await events.backlog();
  const max = config.SCORING_BACKLOG_MAX;
  const scores = `${waiting} events wait for a score, at most ${max} may`;
  const late = (await events.queries.due(clock() - LATE_MS, 1)).due.length > 0;
  return [
    waiting > max / 2
      ? warning(
          'scoring',
          scores,
          'give it more SCORER_THREADS, or see the log of the process with the role workers',
        )
      : ok('scoring', scores),
    late
      ? warning(
          'scheduler',
          'scheduled events are late',
          'they fire when a process with the role workers runs',
        )
      : ok('scheduler', 'no scheduled event is late'),
  ];
};

const models = async (): Promise<Finding[]> => {
  const { version } = readModelFiles(defaultModelDir());
  return [ok('models', `event-scorer ${version}: every file is as the manifest says`)];
};

const clocks = async ({ config, stores, clock }: Platform): Promise<Finding[]> => {
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

const examinations: readonly Examination[] = [
  { part: 'event store', look: eventStore, todo: LOG_TODO },
  { part: 'read models', look: readModels, todo: MODELS_TODO },
  { part: 'projections', look: projectionsStand, todo: MODELS_TODO },
  { part: 'scoring', look: background, todo: MODELS_TODO },
  { part: 'models', look: models, todo: 'restore models/event-scorer, or make it again with its recipe' },
  { part: 'clock', look: clocks, todo: LOG_TODO },
];
