import { join } from 'node:path';
import type { Stores } from '../adapters/open.js';
import { isPersonal } from '../adapters/sealing.js';
import type { Config } from '../config.js';
import { START, type Fact } from '../domain/fact.js';
import { checkpointName, type Projection } from '../projections/engine/projection.js';
import type { CollectionSpec, Doc } from '../projections/engine/read-models.js';
import { activeGenerations } from '../workers/engine/generations.js';
import { checkpointOf } from '../workers/engine/reactor.js';
import { atWork, forgetOtherLog } from './other-log.js';

/** A fact that a log has held, and therefore holds for ever: by it the log is known again. */
type Mark = Pick<Fact, 'id' | 'journal' | 'revision' | 'position'>;
/** And the newest that holds something personal: by it the vault is known again; null: none was seen. */
type Marks = Mark & { readonly sealed?: Mark | null };

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
  /** After a page of facts was projected: the newest of them are the next marks. */
  readonly seen: (page: readonly Fact[]) => void;
  readonly close: () => Promise<void>;
};

type Checking = {
  readonly stores: Pick<Stores, 'events' | 'models' | 'kv' | 'shared'>;
  readonly projections: readonly Projection[];
  /** Names of all reactors. */
  readonly reactors: readonly string[];
  readonly config: Config;
  /** All is about to be built anew: what was filled from another log is dropped, not a reason to refuse. */
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
  const { stores, failed } = checking;
  await stores.models.prepare([MARKS]);
  const same = await isSame(checking);
  if (!same) await begunAnew(checking);
  let kept = same ? await marksOf(stores) : null;
  const [first] = kept ? [] : await stores.events.page(START, 1);
  let newest: Marks | null = kept ?? (first ? { ...markOf(first), sealed: null } : null);
  const write = async (): Promise<void> => {
    if (!newest || newest === kept) return;
    const marks = newest;
    await writeMarks(stores, marks);
    kept = marks;
  };
  await write();
  const timer = setInterval(() => void write().catch(failed), WRITE_EVERY_MS);
  timer.unref();
  return {
    seen(page) {
      newest = newestOf(newest, page);
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

/** A page may be seen again: marks go forward alone. */
function newestOf(before: Marks | null, page: readonly Fact[]): Marks | null {
  const newer = (mark: Mark | null | undefined, fact: Fact | undefined): Mark | null =>
    fact && fact.position > (mark?.position ?? START) ? markOf(fact) : (mark ?? null);
  const last = newer(before, page.at(-1));
  const sealed = newer(before?.sealed, page.findLast(isPersonal));
  if (!last || (last === before && sealed === (before.sealed ?? null))) return before;
  return { ...last, sealed };
}

const markOf = ({ id, journal, revision, position }: Fact): Mark => ({ id, journal, revision, position });

/** False where the log is another one and that is wanted. */
async function isSame(checking: Checking): Promise<boolean> {
  try {
    await compare(checking);
    return true;
  } catch (error) {
    if (checking.anyLog && error instanceof WrongLog && error.mendable) return false;
    throw error;
  }
}

async function begunAnew(checking: Checking): Promise<void> {
  const busy = await atWork(checking);
  if (busy !== null)
    throw new WrongLog(
      `a process is at work (${busy}) that may know another log: stop all of them, wait 10 s where one was `
        + 'killed, and run presage replay again',
      false,
    );
  await forgetOtherLog(checking);
}

async function compare(checking: Checking): Promise<void> {
  const { models, state } = placeOf(checking.config);
  const kept = [
    { where: models, marks: await marksInModels(checking.stores) },
    { where: state, marks: await marksInState(checking.stores) },
  ];
  for (const { where, marks } of kept) if (marks) await compareMarks(checking, where, marks);
  await compareCheckpoints(checking);
}

/** @throws CannotOpen where the vault lacks what it held once */
async function compareMarks({ stores, config }: Checking, where: string, marks: Marks): Promise<void> {
  for (const mark of [marks, marks.sealed]) {
    if (!mark) continue;
    const [fact] = await stores.events.read(mark.journal, mark.revision - 1, 1);
    if (fact?.id !== mark.id) throw wrong(config, where, await stores.events.head(), mark.position);
  }
}

/** A log that was put back may be older than the mark was in use. */
async function compareCheckpoints({ stores, config, projections, reactors }: Checking): Promise<void> {
  const { generationOf } = await activeGenerations(stores.kv, projections);
  // In this order: the head of a log at work is never behind what was projected before
  const names = [
    ...projections.map(p => checkpointName(p, generationOf(p))),
    ...reactors.map(name => checkpointOf({ name })),
  ];
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

async function marksInModels({ models }: Checking['stores']): Promise<Marks | null> {
  const found = await models.load<Doc & Marks>(MARKS.name, [KEY]);
  return found.get(KEY) ?? null;
}

const marksInState = async ({ kv }: Checking['stores']): Promise<Marks | null> =>
  (await kv.get<Marks>(KEY))?.value ?? null;

/** The marks that both hold; null where they are missing from one. */
async function marksOf(stores: Checking['stores']): Promise<Marks | null> {
  const marks = await marksInModels(stores);
  return (await marksInState(stores)) && marks;
}

async function writeMarks({ models, kv }: Checking['stores'], marks: Marks): Promise<void> {
  const { id, journal, revision, position, sealed = null } = marks;
  const value: Marks = { id, journal, revision, position, sealed };
  // Whoever else was first says as much
  await kv.set(KEY, value, (await kv.get(KEY))?.version ?? 0, null);
  const put = [{ _id: KEY, _at: position, ...value }];
  const changes = [{ collection: MARKS.name, put, remove: [] }];
  await models.commit({ projection: MARKS.name, checkpoint: position, changes, sweeps: [] });
}
