import type { Message } from '../fact.js';
import type { Visibility } from '../models/facts.js';
import type {
  ByomUploaded,
  ByomValidationEndedAs,
  ByomValidationRequested,
  ByomValidationStarted,
} from './facts.js';
import type { Findings, Network } from './report.js';

type OfByom = { readonly workspace: string; readonly byomId: string };

export type UploadByom = Message<'UploadByom', ByomUploaded['data']>;
export type RequestByomValidation = Message<'RequestByomValidation', ByomValidationRequested['data']>;
export type StartByomValidation = Message<'StartByomValidation', ByomValidationStarted['data']>;
export type EndByomValidation = Message<
  'EndByomValidation',
  ByomValidationStarted['data'] &
    Findings & { readonly as: ByomValidationEndedAs; readonly network: Network | null }
>;
/** `name` null: as it was uploaded. */
export type RegisterByom = Message<
  'RegisterByom',
  OfByom & {
    readonly name: string | null;
    readonly visibility: Visibility;
    readonly tags: readonly string[];
    readonly by: string;
  }
>;
/**
 * `inUse`: what it is needed for, in words; empty: nothing. `seen`: the version the caller saw; null:
 * whichever it is.
 */
export type DeleteByom = Message<
  'DeleteByom',
  OfByom & { readonly by: string; readonly inUse: readonly string[]; readonly seen: number | null }
>;

export type ByomCommand =
  | UploadByom
  | RequestByomValidation
  | StartByomValidation
  | EndByomValidation
  | RegisterByom
  | DeleteByom;
