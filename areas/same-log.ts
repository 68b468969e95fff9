import { join } from 'node:path';
import type { Stores } from '../adapters/open.js';
import type { Config } from '../config.js';
import { START, type Fact } from '../domain/fact.js';
import { checkpointName, type Projection } from '../projections/engine/projection.js';
import type { CollectionSpec, Doc } from '../projections/engine/read-models.js';
import { activeGenerations } from '../workers/engine/generations.js';

/** A fact that a log has held, and therefore holds for ever: by it the log is known again. */
type Mark = Pick<Fact, 'id' | 'journal' | 'revision' | 'position'>;

/** The log is not the one that the other stores were filled from; the message says what to do. */
export class WrongLog extends Error {
  constructor(
    message: string,
    /** Whether everything else can be built anew from this log: it is not empty. */
    readonly mendable: boolean,
  ) {
    super(message);
  }
}

export type LogMarks = {
  /** After a page of facts was projected: the last of them is the next mark. */
  readonly seen: (page: readonly Fact[]) => void;
  readonly close: () => Promise<void>;
};

type Checking = {
  readonly stores: Pick<Stores, 'events' | 'models' | 'kv'>;
  readonly projections: readonly Projection[];
  readonly config: Config;
  /** What was filled from another log is about to be built anew: it is no reason to refuse. */
  readonly anyLog: boolean;
  readonly failed: (err: unknown) => void;
};

const MARKS: CollectionSpec = { name: 'log_marks', indexes: [] };
const KEY = 'log';
const WRITE_EVERY_MS = 5_000;

/**
 * Makes sure that the log is the one which read models and state were filled from, not an older copy of it
 * and not another one; from then on both remember one of its newest facts.
 * @throws WrongLog that names what does not fit and what to do
 */
export async function checkLog(checking: Checking): Promise<LogMarks> {
  const { stores, anyLog, failed } = checking;
  await stores.models.prepare([MARKS]);
  if (!anyLog) await compare(checking);
  let newest = anyLog ? null : await markOf(stores);
  const [first] = newest ? [] : await stores.events.page(START, 1);
  let waiting = first ?? null;
  const write = async (): Promise<void> => {
    if (!waiting) return;
    const mark = waiting;
    await writeMark(stores, mark);
    newest = mark;
    if (waiting === mark) waiting = null;
  };
  await write();
  const timer = setInterval(() => void write().catch(failed), WRITE_EVERY_MS);
  timer.unref();
  return {
    seen(page) {
      const last = page.at(-1);
      if (last && last.position > ((waiting ?? newest)?.position ?? START)) waiting = last;
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

async function compare(checking: Checking): Promise<void> {
  const { models, state } = placeOf(checking.config);
  const kept = [
    { where: models, mark: await markInModels(checking.stores) },
    { where: state, mark: await markInState(checking.stores) },
  ];
  for (const { where, mark } of kept) if (mark) await compareMark(checking, where, mark);
  await compareCheckpoints(checking);
}

async function compareMark({ stores, config }: Checking, where: string, mark: Mark): Promise<void> {
  const [fact] = await stores.events.read(mark.journal, mark.revision - 1, 1);
  if (fact?.id === mark.id) return;
  throw wrong(config, where, await stores.events.head(), mark.position);
}

/** A log that was put back may be older than the mark was in use. */
async function compareCheckpoints({ stores, config, projections }: Checking): Promise<void> {
  const { generationOf } = await activeGenerations(stores.kv, projections);
  // In this order: the head of a log at work is never behind what was projected before
  const names = projections.map(p => checkpointName(p, generationOf(p)));
  const places = await Promise.all(names.map(name => stores.models.checkpoint(name)));
  const head = await stores.events.head();
  const furthest = Math.max(...places);
  if (furthest > head) throw wrong(config, placeOf(config).models, head, furthest);
}

function wrong(config: Config, where: string, head: number, position: number): WrongLog {
  const { log } = placeOf(config);
  if (head === START)
    return new WrongLog(
      `${log} is empty, but ${where} was filled from a log: put the log back; `
        + 'to begin anew, use empty stores',
      false,
    );
  const what = head < position ? `ends at ${head}, before` : 'is another log than';
  return new WrongLog(
    `${log} ${what} the one that ${where} was filled from (up to ${position}): put the right log back, `
      + 'or keep this one and build all else anew from it with: presage replay',
    true,
  );
}

function placeOf({ EVENTSTORE_URL, MONGODB_URL, MONGODB_DATABASE, DATA_DIR }: Config) {
  const database = `the database ${MONGODB_DATABASE} of MONGODB_URL`;
  return {
    log: EVENTSTORE_URL ? 'the log at EVENTSTORE_URL' : join(DATA_DIR, 'facts.db'),
    models: MONGODB_URL ? database : join(DATA_DIR, 'models.db'),
    state: MONGODB_URL ? database : join(DATA_DIR, 'state.db'),
  };
}

async function markInModels({ models }: Checking['stores']): Promise<Mark | null> {
  const found = await models.load<Doc & Mark>(MARKS.name, [KEY]);
  return found.get(KEY) ?? null;
}

const markInState = async ({ kv }: Checking['stores']): Promise<Mark | null> =>
  (await kv.get<Mark>(KEY))?.value ?? null;

/** The mark that both hold; null where one is missing. */
async function markOf(stores: Checking['stores']): Promise<Mark | null> {
  const mark = await markInModels(stores);
  return (await markInState(stores)) && mark;
}

async function writeMark({ models, kv }: Checking['stores'], fact: Mark): Promise<void> {
  const { id, journal, revision, position } = fact;
  const mark: Mark = { id, journal, revision, position };
  // Whoever else was first says as much
  await kv.set(KEY, mark, (await kv.get(KEY))?.version ?? 0, null);
  const put = [{ _id: KEY, _at: position, ...mark }];
  const changes = [{ collection: MARKS.name, put, remove: [] }];
  await models.commit({ projection: MARKS.name, checkpoint: position, changes, sweeps: [] });
}
