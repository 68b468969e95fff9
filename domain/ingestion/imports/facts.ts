import type { Message } from '../../fact.js';
import type { FileFormat } from './formats.js';
import type { Mapping, MappingAsked } from './mapping.js';
import type { Problem } from './rows.js';

type OfImport = { readonly workspace: string; readonly importId: string };

/** `file`: its name; `sha256`: of its content, hex; `by`: the uid of who uploaded it. */
export type ImportUploaded = Message<
  'ImportUploaded',
  OfImport & {
    readonly file: string;
    readonly format: FileFormat;
    readonly bytes: number;
    readonly sha256: string;
    readonly mapping: MappingAsked;
    readonly by: string;
  }
>;
/** What the beginning of the file was found to be. `mapping` null: none that can be used is known. */
export type ImportParsed = Message<
  'ImportParsed',
  OfImport & {
    readonly format: FileFormat;
    readonly mapping: Mapping | null;
    readonly problems: readonly Problem[];
  }
>;
/** The file cannot be read, and why. */
export type ImportRefused = Message<
  'ImportRefused',
  OfImport & { readonly code: string; readonly message: string }
>;
/** `by`: the uid of who wants it. */
export type ImportCommitBegun = Message<
  'ImportCommitBegun',
  OfImport & { readonly format: FileFormat; readonly mapping: Mapping; readonly by: string }
>;
/** Somebody works on it; again after work was cut short. */
export type ImportStarted = Message<'ImportStarted', OfImport>;
/** What the rows up to `upTo` came to since the fact before; `problems`: at most 100 of one import. */
export type ImportProgressed = Message<
  'ImportProgressed',
  OfImport & {
    readonly upTo: number;
    readonly accepted: number;
    readonly duplicates: number;
    readonly rejected: number;
    readonly problems: readonly Problem[];
  }
>;
export type ImportEndedAs = 'committed' | 'partial' | 'failed' | 'cancelled';
/** Counts are of all of it; `by`: the uid of who wanted it, null: nobody committed it. */
export type ImportEnded = Message<
  'ImportEnded',
  OfImport & {
    readonly as: ImportEndedAs;
    readonly file: string;
    readonly read: number;
    readonly accepted: number;
    readonly duplicates: number;
    readonly rejected: number;
    readonly error: { readonly code: string; readonly message: string } | null;
    readonly by: string | null;
  }
>;
/** The uploaded file is kept no longer. */
export type ImportFileRemoved = Message<'ImportFileRemoved', OfImport>;

export type ImportFact =
  | ImportUploaded
  | ImportParsed
  | ImportRefused
  | ImportCommitBegun
  | ImportStarted
  | ImportProgressed
  | ImportEnded
  | ImportFileRemoved;
