import type { Fact } from '../../fact.js';
import type { EventConfig } from '../event-config.js';
import type { Config } from '../masking.js';
import type { SourceFact, SourceKind, SourceMode } from './facts.js';

export const sourceStatuses = ['active', 'paused', 'failing'] as const;
export type SourceStatus = (typeof sourceStatuses)[number];

export type Source = {
  readonly name: string;
  readonly connectorId: string;
  readonly kind: SourceKind;
  readonly mode: SourceMode;
  readonly status: SourceStatus;
  /** The whole of it, secrets too; null once their key was thrown away. */
  readonly config: Config | null;
  readonly shown: Config;
  readonly eventConfig: EventConfig;
  /** What deliveries are signed with, the newest first; those of before count until a time (epoch ms). */
  readonly secrets: readonly { readonly secret: string; readonly until: number | null }[];
  /** Journal revision of its last fact. */
  readonly revision: number;
  /** Counts what people changed. */
  readonly version: number;
};
/** Null: it is not there yet, or no longer. */
export type SourceState = { readonly source: Source | null };
export const initialState: SourceState = { source: null };

const becomes: Readonly<Partial<Record<SourceFact['type'], SourceStatus>>> = {
  SourceCreated: 'active',
  SourcePaused: 'paused',
  SourceResumed: 'active',
  SourceFailing: 'failing',
  SourceRecovered: 'active',
};
export const sourceStatusAfter = (type: SourceFact['type'], status: SourceStatus): SourceStatus =>
  becomes[type] ?? status;

/** How many versions a fact makes: that it fails or recovers by itself makes none. */
export const versionsOf = (type: SourceFact['type']): number =>
  type === 'SourceFailing' || type === 'SourceRecovered' ? 0 : 1;

export function evolve({ source }: SourceState, fact: Fact<SourceFact>): SourceState {
  const { revision } = fact;
  if (fact.type === 'SourceCreated') {
    const { name, connectorId, kind, mode, config, eventConfig, personal } = fact.data;
    const secrets = personal?.secret == null ? [] : [{ secret: personal.secret, until: null }];
    const whole = personal?.config ?? null;
    const shown = { config: whole, shown: config, eventConfig, secrets, revision, version: 1 };
    return { source: { name, connectorId, kind, mode, status: 'active', ...shown } };
  }
  if (fact.type === 'SourceDeleted' || !source) return initialState;
  const status = sourceStatusAfter(fact.type, source.status);
  const version = source.version + versionsOf(fact.type);
  return { source: { ...source, ...changedBy(fact, source), status, revision, version } };
}

function changedBy(fact: Fact<SourceFact>, source: Source): Partial<Source> {
  if (fact.type === 'SourceChanged') {
    const { name, config, eventConfig, personal } = fact.data;
    return { name, config: personal?.config ?? null, shown: config, eventConfig };
  }
  if (fact.type !== 'SourceSecretRotated') return {};
  const { graceUntil, personal } = fact.data;
  const before = source.secrets
    .map(({ secret, until }) => ({ secret, until: Math.min(until ?? graceUntil, graceUntil) }))
    .filter(({ until }) => until > fact.at);
  return { secrets: personal ? [{ secret: personal.secret, until: null }, ...before] : before };
}
