import type { Mapping } from '../../domain/ingestion/imports/mapping.js';
import { streamOf, type EventRow, type Problem } from '../../domain/ingestion/imports/rows.js';
import type { Import } from '../../domain/ingestion/imports/state.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { Context } from '../engine/handle.js';
import { FileMissing, type FileStore } from '../ports/file-store.js';
import type { RowsBatch, TableFile, TableFiles } from './table-files.js';
import { fileOf, type ImportCommands } from './imports.js';
import { incomingPoints, type IncomingEvent, type Intake, type Taken } from './intake.js';

export type TakeInDeps = {
  readonly commands: ImportCommands;
  readonly files: FileStore;
  readonly tables: TableFiles;
  readonly intake: Intake;
  readonly allowance: {
    /** Why a workspace may write no more; null: it may. */
    readonly refusal: (workspace: string) => Promise<Rejected | null>;
    /** Rows that it may still write; null: as many as it likes. */
    readonly left: (workspace: string) => Promise<number | null>;
    readonly wrote: (workspace: string, count: number) => void;
  };
  /** Waits, a bounded time, until read models hold what was written. */
  readonly shown: (positions: Taken['positions']) => Promise<unknown>;
};
/**
 * Takes in the rows of an import that was committed, from the first that was not, and answers the position of
 * its last fact. It rejects with what may be over in a while, and may be called again then.
 */
export type TakeIn = (
  workspace: string,
  importId: string,
  signal: AbortSignal,
  context: () => Context,
) => Promise<number | null>;

/**
 * Near the end of an allowance rows come in batches of as many points and events as are left, but of no fewer
 * than these: rows that are known need none of it, so that there may be many of them.
 */
const LEAST_BATCH = 1_000;

/** Work that ends the process each time would end it for ever. */
const MOST_ATTEMPTS = 10;

export function takeInOf({ commands, files, tables, intake, allowance, shown }: TakeInDeps): TakeIn {
  return async (workspace, importId, signal, context) => {
    const started = await commands.start(workspace, importId, context());
    const state = started.after!;
    if (state.status !== 'committing') return started.position;
    const end = async (error: Import['error']) =>
      (await commands.end(workspace, importId, error, context())).position;
    try {
      if (state.attempts > MOST_ATTEMPTS) throw cutShort;
      await files.use(fileOf(workspace, importId), path =>
        takeRows(workspace, importId, path, state, signal, context),
      );
      return await end(null);
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) throw new Cancelled();
      const reason = reasonOf(error);
      if (reason) return end(reason);
      throw error;
    }
  };

  /** Batches that the workspace may still write. @throws PastAllowance */
  async function* batches(
    workspace: string,
    file: TableFile,
    mapping: Mapping,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<RowsBatch> {
    let most: number | null = null;
    for (let at = from, isWhole = false; !isWhole; ) {
      isWhole = true;
      for await (const batch of tables.rows(file, mapping, { from: at, most }, signal)) {
        const refusal = await allowance.refusal(workspace);
        if (refusal) throw new PastAllowance(refusal);
        const left = await allowance.left(workspace);
        const fewer = Math.max(LEAST_BATCH, left ?? Infinity);
        if (sizeOf(batch) > fewer && fewer < (most ?? Infinity)) {
          most = fewer;
          isWhole = false;
          break;
        }
        yield batch;
        at = batch.upTo;
      }
    }
  }

  async function takeRows(
    workspace: string,
    importId: string,
    path: string,
    { format, mapping, read }: Import,
    signal: AbortSignal,
    context: () => Context,
  ): Promise<void> {
    let before: Taken['positions'] = { events: null, signals: null };
    for await (const batch of batches(workspace, { path, format }, mapping!, read, signal)) {
      const now = context();
      const incoming = {
        ...{ workspace, sourceId: importId, countsKnown: true },
        events: eventsOf(batch.events, mapping!),
        points: incomingPoints(batch.series).map(push => ({
          ...push,
          keepKnown: mapping!.onDuplicate === 'skip',
        })),
      };
      const taken = await intake(incoming, now);
      allowance.wrote(workspace, taken.accepted);
      if (signal.aborted) throw new Cancelled();
      const counts = { accepted: taken.accepted, duplicates: taken.duplicates };
      const rejected = batch.rejected + taken.rejected;
      const problems = problemsOf(batch, taken, mapping!);
      await commands.progress({ workspace, importId, upTo: batch.upTo, ...counts, rejected, problems }, now);
      // Read models follow by a batch at most, so that nothing piles up behind them
      await shown(before);
      before = taken.positions;
    }
    await shown(before);
  }
}

const sizeOf = ({ events, series }: RowsBatch): number =>
  series.reduce((sum, { times }) => sum + times.length, events.length);

/** Each by its content, so that the same rows again are the same events. */
const eventsOf = (rows: readonly EventRow[], mapping: Mapping): IncomingEvent[] =>
  rows.map(({ row, text, occurredAt, value }) => ({
    index: row,
    externalId: null,
    submission: {
      ...{ key: streamOf(mapping), text, occurredAt },
      details: { origin: 'ingestion', ...(value !== null && { value }) },
      // Without a value there is nothing to revise in one that is known
      keepKnown: mapping.onDuplicate === 'skip' || value === null,
    },
  }));

const problemsOf = (batch: RowsBatch, taken: Taken, { eventText }: Mapping): Problem[] => [
  ...batch.problems,
  ...taken.errors.map(({ index, message }) => ({ row: index, column: eventText, message })),
];

/** Nothing that is over in a while: the import ends with what was taken. */
class PastAllowance extends Error {
  constructor(readonly refusal: Rejected) {
    super(refusal.message);
  }
}

const cutShort = new Rejected(
  'unprocessable',
  'cut_short',
  `It was begun ${MOST_ATTEMPTS} times and came no further`,
);

/** Why an import fails; null: it may go on another time. */
function reasonOf(error: unknown): { readonly code: string; readonly message: string } | null {
  if (error instanceof PastAllowance) return { code: error.refusal.code, message: error.refusal.message };
  if (error instanceof FileMissing) return { code: 'file_missing', message: 'The uploaded file is gone' };
  if (!(error instanceof Rejected) || error.kind === 'unavailable' || error.kind === 'limited') return null;
  return { code: error.code, message: error.message };
}
