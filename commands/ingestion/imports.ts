import type { FileFormat } from '../../domain/ingestion/imports/formats.js';
import type { Mapping, MappingAsked } from '../../domain/ingestion/imports/mapping.js';
import type { ImportCommand } from '../../domain/ingestion/imports/commands.js';
import type { ImportProgressed } from '../../domain/ingestion/imports/facts.js';
import { imports, importNotFound, isBeforeCommit, notOpen } from '../../domain/ingestion/imports/decider.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import type { Problem } from '../../domain/ingestion/imports/rows.js';
import type { Import } from '../../domain/ingestion/imports/state.js';
import { Rejected } from '../../domain/rejected.js';
import { DAY } from '../../domain/time.js';
import { unwritten, type Context, type Handle, type Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import { TooLarge } from '../ports/event-store.js';
import type { FileStore } from '../ports/file-store.js';
import type { KeyValue } from '../ports/key-value.js';
import type { TableFiles } from './table-files.js';

export type NewImport = {
  readonly path: string;
  readonly file: string;
  readonly format: FileFormat;
  readonly bytes: number;
  readonly sha256: string;
  readonly mapping: MappingAsked;
  readonly by: string;
};
/** How a file is to be looked at; what is absent stays as it was. */
export type Looking = { readonly format?: FileFormat; readonly mapping?: MappingAsked };
/** `preview` null: the file cannot be read; `found` says why. */
export type Looked = {
  readonly found: Import;
  readonly preview: Preview | null;
  readonly position: number | null;
};

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly files: FileStore;
  readonly tables: TableFiles;
  readonly kv: KeyValue;
};
export type ImportCommands = ReturnType<typeof importCommands>;

/** Uploaded files are kept so long after their import ended, or was last looked at. */
export const FILE_KEPT_MS = 7 * DAY;

/** The name of an import's file: the id of its journal. */
export const fileOf = (workspace: string, importId: string): string => `${workspace}.${importId}`;

export function importCommands({ handle, load, files, tables, kv }: Deps) {
  const decided = (command: ImportCommand, context: Context) => handle(imports, command, context);

  const found = async (workspace: string, importId: string): Promise<Import> => {
    const state = await load(imports, `${workspace}.${importId}`);
    if (!state) throw importNotFound();
    return state;
  };

  /** Reads the beginning of a file and keeps what was found. `isFirst`: nobody asked for it. */
  async function look(
    workspace: string,
    importId: string,
    looking: Looking,
    isFirst: boolean,
    signal: AbortSignal,
    context: Context,
  ): Promise<Looked> {
    const before = await found(workspace, importId);
    if (!isBeforeCommit(before)) throw notOpen(before);
    const { format = before.format, mapping: asked = before.mapping ?? before.asked } = looking;
    const of = { workspace, importId };
    try {
      const preview = await files.use(fileOf(workspace, importId), path =>
        tables.preview({ path, format }, asked, workspace, signal),
      );
      const problems = [...preview.faults.map(problemOf), ...preview.problems];
      const mapping = preview.faults.length === 0 ? preview.mapping : null;
      const data = { ...of, format, mapping, problems, isFirst };
      await keepPreview(importId, preview, context.at);
      const { after, position } = await decided({ type: 'ParseImport', data }, context);
      return { found: after!, preview, position };
    } catch (error) {
      if (error instanceof TooLarge) return refuse(workspace, importId, tooManyNames, isFirst, context);
      if (!(error instanceof Rejected) || error.kind !== 'unprocessable') throw error;
      return refuse(workspace, importId, error, isFirst, context);
    }
  }

  async function refuse(
    workspace: string,
    importId: string,
    { code, message }: Pick<Rejected, 'code' | 'message'>,
    isFirst: boolean,
    context: Context,
  ): Promise<Looked> {
    const data = { workspace, importId, code, message, isFirst };
    const { after, position } = await decided({ type: 'RefuseImport', data }, context);
    return { found: after!, preview: null, position };
  }

  async function keepPreview(importId: string, preview: Preview, at: number): Promise<void> {
    const entry = await kv.get(placeOf(importId));
    await kv.set(placeOf(importId), preview, entry?.version ?? 0, at + FILE_KEPT_MS);
  }

  return {
    found,
    look,
    /** Gives up a file that could not be looked at, and that nobody asked for so far. */
    giveUp: (workspace: string, importId: string, context: Context) =>
      refuse(workspace, importId, notRead, true, context),
    /** Takes a file that was uploaded. */
    async upload(workspace: string, { path, ...given }: NewImport, context: Context) {
      const importId = newId('imp_');
      await files.put(fileOf(workspace, importId), path);
      const command = { type: 'UploadImport', data: { workspace, importId, ...given } } as const;
      const { after, position } = await handle(imports, command, context, unwritten(imports));
      return { importId, position, found: after! };
    },
    /** What was found when the file was last looked at; null: nothing, or it is kept no longer. */
    async preview(importId: string): Promise<Preview | null> {
      return (await kv.get<Preview>(placeOf(importId)))?.value ?? null;
    },
    /** `mapping`: one that fits the file. @throws Rejected 409 */
    commit: (
      workspace: string,
      importId: string,
      { format, mapping }: Pick<Import, 'format'> & { readonly mapping: Mapping },
      by: string,
      context: Context,
    ) => decided({ type: 'CommitImport', data: { workspace, importId, format, mapping, by } }, context),
    start: (workspace: string, importId: string, context: Context) =>
      decided({ type: 'StartImport', data: { workspace, importId } }, context),
    progress: (data: ImportProgressed['data'], context: Context) =>
      decided({ type: 'ProgressImport', data }, context),
    end: (workspace: string, importId: string, error: Import['error'], context: Context) =>
      decided({ type: 'EndImport', data: { workspace, importId, error } }, context),
    /** @throws Rejected 404, 409 */
    cancel: (workspace: string, importId: string, error: Import['error'], context: Context) =>
      decided({ type: 'CancelImport', data: { workspace, importId, error } }, context),
    /**
     * Takes away files that lie there for longer than so many ms, and that no import has, and what is left of
     * uploads that were cut short.
     */
    async sweep(ms: number): Promise<void> {
      await files.clean(ms);
      for (const name of await files.older(ms))
        if (name.includes('.imp_') && !(await load(imports, name))?.hasFile) await files.remove(name);
    },
    /** Takes the file away. */
    async removeFile(workspace: string, importId: string, context: Context) {
      await files.remove(fileOf(workspace, importId));
      return decided({ type: 'RemoveImportFile', data: { workspace, importId } }, context);
    },
  };
}

const notRead = { code: 'unreadable_file', message: 'Reading the file failed each time it was tried' };

const tooManyNames = {
  code: 'too_many_names',
  message: 'The names of its columns are too long to be kept all: name fewer in the mapping, or shorten them',
};

const placeOf = (importId: string): string => `import-preview:${importId}`;

const problemOf = ({ member, message }: Preview['faults'][number]): Problem => ({
  row: null,
  column: null,
  message: `mapping.${member} ${message}`,
});
