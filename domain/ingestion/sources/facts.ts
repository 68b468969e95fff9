import type { Message } from '../../fact.js';
import type { EventConfig } from '../event-config.js';
import type { Config } from '../masking.js';

/** What a source gives. */
export const sourceKinds = ['event', 'signal', 'mixed'] as const;
export type SourceKind = (typeof sourceKinds)[number];
/** How it comes: it is sent to us, we ask for it, or it is uploaded. */
export const sourceModes = ['push', 'poll', 'file'] as const;
export type SourceMode = (typeof sourceModes)[number];

type OfSource = { readonly workspace: string; readonly sourceId: string };
/** Sealed under the key of the workspace (`of`); null once that was thrown away. */
export type Secret<T extends object> = ({ readonly of: string } & T) | null;

/**
 * `config`: what the connector asks for, with stars in place of secrets. `personal.config`: the whole of it;
 * `personal.secret`: what deliveries are signed with; null: there is none.
 */
export type SourceCreated = Message<
  'SourceCreated',
  OfSource & {
    readonly name: string;
    readonly connectorId: string;
    readonly kind: SourceKind;
    readonly mode: SourceMode;
    readonly config: Config;
    readonly eventConfig: EventConfig;
    readonly personal: Secret<{ readonly secret: string | null; readonly config: Config }>;
  }
>;
/** All of it as it is now. */
export type SourceChanged = Message<
  'SourceChanged',
  OfSource & {
    readonly name: string;
    readonly config: Config;
    readonly eventConfig: EventConfig;
    readonly personal: Secret<{ readonly config: Config }>;
  }
>;
export type SourcePaused = Message<'SourcePaused', OfSource>;
export type SourceResumed = Message<'SourceResumed', OfSource>;
/** From now on `personal.secret` counts, and those of before until `graceUntil` (epoch ms). */
export type SourceSecretRotated = Message<
  'SourceSecretRotated',
  OfSource & { readonly graceUntil: number; readonly personal: Secret<{ readonly secret: string }> }
>;
/** Too many runs or deliveries in a row failed; it is still tried. `name`: of the source, as it is then. */
export type SourceFailing = Message<
  'SourceFailing',
  OfSource & {
    readonly name: string;
    readonly failures: number;
    readonly code: string;
    readonly message: string;
  }
>;
export type SourceRecovered = Message<'SourceRecovered', OfSource>;
export type SourceDeleted = Message<'SourceDeleted', OfSource>;

export type SourceFact =
  | SourceCreated
  | SourceChanged
  | SourcePaused
  | SourceResumed
  | SourceSecretRotated
  | SourceFailing
  | SourceRecovered
  | SourceDeleted;
