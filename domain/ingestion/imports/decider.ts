import type { Decider } from '../../decider.js';
import { Rejected } from '../../rejected.js';
import type { ImportCommand, ProgressImport } from './commands.js';
import type { ImportEndedAs, ImportFact } from './facts.js';
import { MOST_PROBLEMS } from './rows.js';
import { evolve, initialState, type Import, type ImportState } from './state.js';

export const importNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Import not found');

function decide(command: ImportCommand, state: ImportState): readonly ImportFact[] {
  if (command.type === 'UploadImport') return state ? [] : [{ type: 'ImportUploaded', data: command.data }];
  if (!state) throw importNotFound();
  const { workspace, importId } = command.data;
  const id = { workspace, importId };
  switch (command.type) {
    case 'ParseImport': {
      const { isFirst, ...data } = command.data;
      return isLate(isFirst, state) ? [] : [{ type: 'ImportParsed', data }];
    }
    case 'RefuseImport': {
      const { isFirst, ...data } = command.data;
      return isLate(isFirst, state) ? [] : [{ type: 'ImportRefused', data }];
    }
    case 'CommitImport':
      return commit(command.data, state);
    case 'StartImport':
      return state.status === 'committing' ? [{ type: 'ImportStarted', data: id }] : [];
    case 'ProgressImport':
      return progress(command, state);
    case 'EndImport':
      if (state.status !== 'committing') return [];
      return [end(id, state, endOf(state, command.data.error), command.data.error)];
    case 'CancelImport':
      return cancel(id, state, command.data.error);
    case 'RemoveImportFile':
      return state.hasFile && !isOpen(state) ? [{ type: 'ImportFileRemoved', data: id }] : [];
  }
}

/** Not committed so far; what could not be read may be tried as something else. */
export const isBeforeCommit = ({ status, by, hasFile }: Pick<Import, 'status' | 'by' | 'hasFile'>): boolean =>
  hasFile && by === null && (status === 'uploaded' || status === 'parsed' || status === 'failed');
const isOpen = ({ status }: Import): boolean => ['uploaded', 'parsed', 'committing'].includes(status);

/** Whether it comes too late to be of use. @throws Rejected 409 where somebody asked for it */
function isLate(isFirst: boolean, state: Import): boolean {
  if (isFirst) return state.status !== 'uploaded';
  if (isBeforeCommit(state)) return false;
  throw notOpen(state);
}

/** It was committed, or has ended. */
export const notOpen = ({ status }: Import): Rejected =>
  new Rejected('conflict', 'import_not_open', `The import is ${status} already`, { import_status: status });

function commit(
  data: Extract<ImportCommand, { type: 'CommitImport' }>['data'],
  state: Import,
): readonly ImportFact[] {
  if (!isBeforeCommit(state) || state.status === 'failed') throw notOpen(state);
  return [{ type: 'ImportCommitBegun', data }];
}

/** Rows that were counted before, by work that was cut short behind it, are not counted again. */
function progress({ data }: ProgressImport, state: Import): readonly ImportFact[] {
  if (state.status !== 'committing' || data.upTo <= state.read) return [];
  const problems = data.problems.slice(0, MOST_PROBLEMS - state.problems.length);
  return [{ type: 'ImportProgressed', data: { ...data, problems } }];
}

function endOf({ read, rejected }: Import, error: Import['error']): ImportEndedAs {
  if (error === null) return rejected > 0 ? 'partial' : 'committed';
  return error.code === QUOTA_EXCEEDED && read > 0 ? 'partial' : 'failed';
}
/** The plan allows no more: what was taken until then stays. */
const QUOTA_EXCEEDED = 'quota_exceeded';

const end = (
  id: { readonly workspace: string; readonly importId: string },
  { file, read, accepted, duplicates, rejected, by }: Import,
  as: ImportEndedAs,
  error: Import['error'],
): ImportFact => ({
  type: 'ImportEnded',
  data: { ...id, as, file, read, accepted, duplicates, rejected, error, by },
});

function cancel(
  id: { readonly workspace: string; readonly importId: string },
  state: Import,
  error: Import['error'],
): readonly ImportFact[] {
  if (state.status === 'cancelled') return [];
  if (!isOpen(state) && !isBeforeCommit(state)) throw notOpen(state);
  return [end(id, state, 'cancelled', error)];
}

/** Files of rows and columns on their way to signals and events. */
export const imports: Decider<ImportCommand, ImportFact, ImportState> = {
  category: 'import',
  idOf: ({ data: { workspace, importId } }) => `${workspace}.${importId}`,
  initialState,
  decide,
  evolve,
};
