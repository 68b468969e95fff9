import type { Context } from '../commands/engine/handle.js';
import type { ImportCommands } from '../commands/ingestion/imports.js';
import { FILE_KEPT_MS } from '../commands/ingestion/imports.js';
import type { TakeIn } from '../commands/ingestion/importing.js';
import { ReadingFailed } from '../commands/ingestion/table-files.js';
import type { Log } from '../commands/ports/log.js';
import { Cancelled } from '../domain/maths/compute.js';
import { Rejected } from '../domain/rejected.js';
import { DAY, MINUTE } from '../domain/time.js';
import type { ImportDoc } from '../projections/ingestion/import-documents.js';
import type { ImportQueries } from '../projections/ingestion/import-queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly commands: Pick<ImportCommands, 'look' | 'giveUp' | 'cancel' | 'removeFile' | 'sweep'>;
  readonly takeIn: TakeIn;
  readonly queries: Pick<ImportQueries, 'one' | 'inStatus' | 'untouchedSince'>;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 250;
/** Files that are looked at at once, and that are taken in; each kind has its own room. */
const AT_ONCE = { uploaded: 2, committing: 3 } as const;
type Kind = keyof typeof AT_ONCE;
type Work = (doc: ImportDoc) => (signal: AbortSignal) => Promise<unknown>;
type UnderWay = { readonly workspace: string; readonly kind: Kind; readonly ending: AbortController };
const LOOKED_AT = 100;
/** After what failed for now. */
const REST_MS = 5_000;
const MOST_FAILURES = 3;
/** Old files are looked for so often. */
const SWEEP_MS = MINUTE;

/**
 * Works on uploaded files: looks at each when it came, takes in what was committed, and takes away those that
 * nobody needs. What a crash cut short goes on behind the last rows that were written down.
 */
export function importing(deps: Deps): Running {
  const { commands, queries, clock, log } = deps;
  const working = new Map<string, UnderWay>();
  const resting = new Map<string, number>();
  /** How often a file could not be looked at. */
  const failures = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  let sweptAt = -Infinity;
  let searchedAt = -Infinity;

  const begin = (doc: ImportDoc, kind: Kind, work: ReturnType<Work>): void => {
    const { _id, workspace } = doc;
    const ending = new AbortController();
    working.set(_id, { workspace, kind, ending });
    const done: Promise<unknown> = work(ending.signal)
      .catch((err: unknown) => {
        if (err instanceof Cancelled || ending.signal.aborted) return;
        resting.set(_id, performance.now() + REST_MS);
        if (!isPassing(err)) log.error({ err, import: _id }, 'an import was cut short; tried again');
      })
      .finally(() => {
        working.delete(_id);
        underWay.delete(done);
      });
    underWay.add(done);
  };

  const look: Work = doc => async signal => {
    const { workspace, _id } = doc;
    const context = contextOf(doc, deps);
    const looked = commands.look(workspace, _id, {}, true, signal, context).catch((err: unknown) => {
      const failed = (failures.get(_id) ?? 0) + 1;
      if (signal.aborted || !(err instanceof ReadingFailed)) throw err;
      failures.set(_id, failed);
      if (failed < MOST_FAILURES) throw err;
      log.error({ err, import: _id }, 'an uploaded file could not be read');
      return commands.giveUp(workspace, _id, context);
    });
    await deps.visible((await looked).position);
    failures.delete(_id);
  };
  const takeIn: Work = doc => async signal =>
    deps.visible(await deps.takeIn(doc.workspace, doc._id, signal, () => contextOf(doc, deps)));

  const endCancelled = async (): Promise<void> => {
    for (const [id, { workspace, ending }] of working)
      if ((await queries.one(workspace, id))?.status === 'cancelled') ending.abort();
  };

  /** One of a workspace at a time, so that nobody waits for all that somebody else sent. */
  const beginMore = async (kind: Kind, work: Work, goesOn: () => boolean): Promise<void> => {
    const underWay = [...working.values()].filter(each => each.kind === kind);
    const busy = new Set(underWay.map(({ workspace }) => workspace));
    for (let offset = 0; ; offset += LOOKED_AT) {
      const part = await queries.inStatus(kind, LOOKED_AT, offset);
      for (const doc of part) {
        if (busy.size >= AT_ONCE[kind] || !goesOn()) return;
        if (working.has(doc._id) || resting.has(doc._id) || busy.has(doc.workspace)) continue;
        busy.add(doc.workspace);
        begin(doc, kind, work(doc));
      }
      if (part.length < LOOKED_AT) return;
    }
  };

  const sweep = async (): Promise<void> => {
    for (const doc of await queries.untouchedSince(clock() - FILE_KEPT_MS, LOOKED_AT)) {
      const { workspace, _id } = doc;
      if (doc.status === 'uploaded' || doc.status === 'parsed')
        await commands.cancel(workspace, _id, EXPIRED, contextOf(doc, deps));
      await commands.removeFile(workspace, _id, contextOf(doc, deps));
    }
  };

  const running = rounds(EVERY_MS, log, 'imports could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    await endCancelled();
    await beginMore('uploaded', look, goesOn);
    await beginMore('committing', takeIn, goesOn);
    if (!goesOn()) return;
    if (performance.now() - sweptAt < SWEEP_MS) return;
    await sweep();
    sweptAt = performance.now();
    if (sweptAt - searchedAt < DAY) return;
    await commands.sweep(DAY);
    searchedAt = sweptAt;
  });
  return {
    async stop() {
      await running.stop();
      for (const { ending } of working.values()) ending.abort();
      await Promise.all(underWay);
    },
  };
}

const EXPIRED = { code: 'expired', message: 'The file was not committed within 7 days' };

const isPassing = (error: unknown): boolean =>
  error instanceof Rejected && (error.kind === 'unavailable' || error.kind === 'limited');

const contextOf = ({ workspace }: ImportDoc, { newId, clock }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:importing', request: null },
  ...{ correlation: newId(), causation: null, at: clock() },
});
