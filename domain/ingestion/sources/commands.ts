import type { Message } from '../../fact.js';
import type { EventConfig } from '../event-config.js';
import type { Config } from '../masking.js';
import type { SourceKind, SourceMode } from './facts.js';

type OfSource = { readonly workspace: string; readonly sourceId: string };

/** `config`: the whole of it; `shown`: with stars in place of secrets. `secret` null: there is none. */
export type CreateSource = Message<
  'CreateSource',
  OfSource & {
    readonly name: string;
    readonly connectorId: string;
    readonly kind: SourceKind;
    readonly mode: SourceMode;
    readonly config: Config;
    readonly shown: Config;
    readonly eventConfig: EventConfig;
    readonly secret: string | null;
  }
>;
/** What is absent stays. `seen`: the version the caller saw; null: whichever it is. */
export type ChangeSource = Message<
  'ChangeSource',
  OfSource & {
    readonly name?: string;
    readonly config?: { readonly whole: Config; readonly shown: Config };
    readonly eventConfig?: EventConfig;
    readonly seen: number | null;
  }
>;
/** Secrets of before count until `graceUntil` (epoch ms). */
export type RotateSourceSecret = Message<
  'RotateSourceSecret',
  OfSource & { readonly secret: string; readonly graceUntil: number }
>;
export type MarkSourceFailing = Message<
  'MarkSourceFailing',
  OfSource & { readonly failures: number; readonly code: string; readonly message: string }
>;
export type KeepSource = Message<'PauseSource' | 'ResumeSource' | 'MarkSourceRecovered', OfSource>;
/** `seen`: the version the caller saw; null: whichever it is. */
export type DeleteSource = Message<'DeleteSource', OfSource & { readonly seen: number | null }>;
export type SourceCommand =
  | CreateSource
  | ChangeSource
  | RotateSourceSecret
  | MarkSourceFailing
  | KeepSource
  | DeleteSource;
