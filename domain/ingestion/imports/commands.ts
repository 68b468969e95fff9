import type { Message } from '../../fact.js';
import type {
  ImportCommitBegun,
  ImportParsed,
  ImportProgressed,
  ImportRefused,
  ImportUploaded,
} from './facts.js';

type OfImport = { readonly workspace: string; readonly importId: string };

export type UploadImport = Message<'UploadImport', ImportUploaded['data']>;
/** `isFirst`: nobody asked for it, and it is of no use once somebody did. */
export type ParseImport = Message<'ParseImport', ImportParsed['data'] & { readonly isFirst: boolean }>;
export type RefuseImport = Message<'RefuseImport', ImportRefused['data'] & { readonly isFirst: boolean }>;
export type CommitImport = Message<'CommitImport', ImportCommitBegun['data']>;
export type StartImport = Message<'StartImport', OfImport>;
export type ProgressImport = Message<'ProgressImport', ImportProgressed['data']>;
/** `error` null: all of it was read. */
export type EndImport = Message<
  'EndImport',
  OfImport & { readonly error: { readonly code: string; readonly message: string } | null }
>;
/** `error` null: somebody wants it so. */
export type CancelImport = Message<'CancelImport', EndImport['data']>;
export type RemoveImportFile = Message<'RemoveImportFile', OfImport>;

export type ImportCommand =
  | UploadImport
  | ParseImport
  | RefuseImport
  | CommitImport
  | StartImport
  | ProgressImport
  | EndImport
  | CancelImport
  | RemoveImportFile;
