import type { Message } from '../fact.js';
import type { Visibility } from '../models/facts.js';
import type { Findings, Network } from './report.js';
import type { Format, Signature } from './signature.js';

type OfByom = { readonly workspace: string; readonly byomId: string };
type OfValidation = OfByom & { readonly validationId: string };

/** `file`: its name; `sha256`: of its content, hex; `by`: the uid of who uploaded it. */
export type ByomUploaded = Message<
  'ByomUploaded',
  OfByom & {
    readonly name: string;
    readonly format: Format;
    readonly file: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly signature: Signature;
    readonly by: string;
  }
>;
/** `segmentId`: whose rows it is tried on; null: a sample made for it. */
export type ByomValidationRequested = Message<
  'ByomValidationRequested',
  OfValidation & { readonly segmentId: string | null; readonly by: string }
>;
/** Somebody works on it; again after work was cut short. */
export type ByomValidationStarted = Message<'ByomValidationStarted', OfValidation>;
export type ByomValidationEndedAs = 'validated' | 'rejected' | 'unsupported';
/** `network`: what is served; null unless it was validated. `message`: the first thing that is wrong. */
export type ByomValidationEnded = Message<
  'ByomValidationEnded',
  OfValidation &
    Findings & {
      readonly as: ByomValidationEndedAs;
      readonly name: string;
      readonly message: string | null;
      readonly network: Network | null;
      readonly by: string;
    }
>;
/**
 * It stands in the catalogue under `uid`, with all that the catalogue says of it. `fileShared`: other
 * workspaces may have its file, too; absent: it is for the workspace that uploaded it alone.
 */
export type ByomRegistered = Message<
  'ByomRegistered',
  OfByom & {
    readonly uid: string;
    readonly name: string;
    readonly visibility: Visibility;
    readonly tags: readonly string[];
    readonly format: Format;
    readonly signature: Signature;
    readonly network: Network;
    readonly fileShared?: true;
    readonly by: string;
  }
>;
/** `uid`: in the catalogue; null: it was not registered. */
export type ByomDeleted = Message<
  'ByomDeleted',
  OfByom & { readonly uid: string | null; readonly by: string }
>;

export type ByomFact =
  | ByomUploaded
  | ByomValidationRequested
  | ByomValidationStarted
  | ByomValidationEnded
  | ByomRegistered
  | ByomDeleted;
