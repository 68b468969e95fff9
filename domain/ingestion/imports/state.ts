import type { Fact } from '../../fact.js';
import type { ImportEnded, ImportFact, ImportProgressed, ImportUploaded } from './facts.js';
import type { FileFormat } from './formats.js';
import type { Mapping, MappingAsked } from './mapping.js';
import { MOST_PROBLEMS, type Problem } from './rows.js';

export const importStatuses = [
  'uploaded',
  'parsed',
  'committing',
  'committed',
  'partial',
  'failed',
  'cancelled',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export type Import = {
  readonly status: ImportStatus;
  readonly file: string;
  readonly format: FileFormat;
  readonly bytes: number;
  readonly sha256: string;
  readonly asked: MappingAsked;
  /** As it was last found to fit the file; null: none does. */
  readonly mapping: Mapping | null;
  /** Rows that were read, and what came of them. */
  readonly read: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The first of what is wrong: of the file as it was looked at, then as it was taken in. */
  readonly problems: readonly Problem[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Who committed it. */
  readonly by: string | null;
  /** How often work on it began since it last came further. */
  readonly attempts: number;
  readonly hasFile: boolean;
  readonly revision: number;
};
/** Null: there is none. */
export type ImportState = Import | null;

export const initialState: ImportState = null;

export const uploaded = ({
  file,
  format,
  bytes,
  sha256,
  mapping,
}: ImportUploaded['data']): Omit<Import, 'revision'> => ({
  ...{ status: 'uploaded', file, format, bytes, sha256, asked: mapping, mapping: null },
  ...{ read: 0, accepted: 0, duplicates: 0, rejected: 0, problems: [], error: null },
  ...{ by: null, attempts: 0, hasFile: true },
});

export function evolve(state: ImportState, fact: Fact<ImportFact>): ImportState {
  const { revision } = fact;
  if (fact.type === 'ImportUploaded') return { ...uploaded(fact.data), revision };
  return state && { ...state, ...changesBy(fact, state), revision };
}

type Told = Pick<Import, 'read' | 'accepted' | 'duplicates' | 'rejected' | 'problems' | 'attempts'>;

/** What a fact changes, in the state as in the document. */
export function changesBy(fact: Fact<ImportFact>, before: Told): Partial<Import> {
  switch (fact.type) {
    case 'ImportUploaded':
      return uploaded(fact.data);
    case 'ImportParsed': {
      const { format, mapping, problems } = fact.data;
      return { status: 'parsed', format, mapping, problems, error: null };
    }
    case 'ImportRefused': {
      const { code, message } = fact.data;
      return { status: 'failed', mapping: null, error: { code, message } };
    }
    case 'ImportCommitBegun': {
      const { format, mapping, by } = fact.data;
      return { status: 'committing', format, mapping, by, problems: [] };
    }
    case 'ImportStarted':
      return { attempts: before.attempts + 1 };
    case 'ImportProgressed':
      return progressed(fact.data, before);
    case 'ImportEnded':
      return ended(fact.data);
    case 'ImportFileRemoved':
      return { hasFile: false };
  }
}

const progressed = (data: ImportProgressed['data'], before: Told): Partial<Import> => ({
  read: data.upTo,
  accepted: before.accepted + data.accepted,
  duplicates: before.duplicates + data.duplicates,
  rejected: before.rejected + data.rejected,
  problems: [...before.problems, ...data.problems].slice(0, MOST_PROBLEMS),
  attempts: 0,
});

const ended = ({ as, error }: ImportEnded['data']): Partial<Import> => ({ status: as, error });
