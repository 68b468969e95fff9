import type { Fact } from '../../domain/fact.js';
import type { Counts } from '../../domain/ingestion/deliveries.js';
import { dueOf } from '../../domain/ingestion/health.js';
import type { EventConfig } from '../../domain/ingestion/event-config.js';
import type { Config } from '../../domain/ingestion/masking.js';
import type {
  SourceCreated,
  SourceFact,
  SourceKind,
  SourceMode,
} from '../../domain/ingestion/sources/facts.js';
import { sourceStatusAfter, versionsOf, type SourceStatus } from '../../domain/ingestion/sources/state.js';
import { HOUR } from '../../domain/time.js';
import { following } from '../../domain/versions.js';

// All times are epoch ms.

/** What one hour (its number since the epoch) brought. */
export type SourceHour = Counts & {
  readonly hour: number;
  readonly deliveries: number;
  readonly bytes: number;
  readonly repeats: number;
};
export type SourceError = { readonly code: string; readonly message: string; readonly at: number };

/** A source as it is shown: no secret is in it. Ids of sources are unique among all workspaces. */
export type SourceDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly name: string;
  readonly connector_id: string;
  readonly kind: SourceKind;
  readonly mode: SourceMode;
  readonly status: SourceStatus;
  /** With stars in place of secrets. */
  readonly config: Config;
  readonly event_config: EventConfig;
  readonly has_secret: boolean;
  /** Until when secrets of before count. */
  readonly grace_until: number | null;
  readonly job_ids: readonly string[];
  /** Deliveries or runs that failed in a row. */
  readonly failures: number;
  /** What it is to become by itself; null: it stays as it is. */
  readonly due: 'failing' | 'recovered' | null;
  readonly last_error: SourceError | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_delivery_at: number | null;
  /** Deliveries that were ever noted, also those with a wrong signature. */
  readonly deliveries_noted: number;
  /** The last 25 hours that brought anything, oldest first. */
  readonly hours: readonly SourceHour[];
  /** Journal revision of its last fact. */
  readonly revision: number;
  /** Counts what people changed; absent in documents of the version before. */
  readonly version?: number;
};

export const created = ({
  data,
  at,
  revision,
}: Pick<Fact<SourceCreated>, 'data' | 'at' | 'revision'>): SourceDoc => ({
  _id: data.sourceId,
  workspace: data.workspace,
  name: data.name,
  connector_id: data.connectorId,
  kind: data.kind,
  mode: data.mode,
  status: 'active',
  config: data.config,
  event_config: data.eventConfig,
  has_secret: data.personal?.secret != null,
  grace_until: null,
  job_ids: [],
  failures: 0,
  due: null,
  last_error: null,
  created_at: at,
  updated_at: at,
  last_delivery_at: null,
  deliveries_noted: 0,
  hours: [],
  revision,
  version: 1,
});

export function changed(doc: SourceDoc, fact: Fact<SourceFact>): SourceDoc {
  const status = sourceStatusAfter(fact.type, doc.status);
  const { at: updated_at, revision } = fact;
  // Who was paused begins anew
  const failures = fact.type === 'SourceResumed' ? 0 : doc.failures;
  const version = following(doc.version, versionsOf(fact.type));
  return looked({ ...doc, ...changesOf(fact), status, failures, updated_at, revision, ...version });
}

function changesOf({ type, data }: Fact<SourceFact>): Partial<SourceDoc> {
  if (type === 'SourceChanged')
    return { name: data.name, config: data.config, event_config: data.eventConfig };
  if (type === 'SourceSecretRotated') return { has_secret: true, grace_until: data.graceUntil };
  return {};
}

const looked = (doc: SourceDoc): SourceDoc => ({ ...doc, due: dueOf(doc.status, doc.failures) });

const HOURS_KEPT = 25;

/** What a delivery, or a run, brought to its source. */
export type Brought = Counts & { readonly bytes: number; readonly repeats: boolean };

/** The document after a delivery or a run. `error` null: it went well. */
export function afterWork(
  doc: SourceDoc,
  at: number,
  brought: Brought,
  error: Omit<SourceError, 'at'> | null,
): SourceDoc {
  const failures = error ? doc.failures + 1 : 0;
  return {
    ...doc,
    failures,
    due: dueOf(doc.status, failures),
    last_error: error ? { ...error, at } : doc.last_error,
    last_delivery_at: at,
    hours: hoursAfter(doc.hours, Math.floor(at / HOUR), brought),
  };
}

function hoursAfter(hours: readonly SourceHour[], hour: number, brought: Brought): readonly SourceHour[] {
  const last = hours.at(-1);
  // A clock that was set back counts to the hour that is open
  const isOpen = last !== undefined && last.hour >= hour;
  const now: SourceHour = {
    hour: isOpen ? last.hour : hour,
    deliveries: (isOpen ? last.deliveries : 0) + 1,
    accepted: (isOpen ? last.accepted : 0) + brought.accepted,
    duplicates: (isOpen ? last.duplicates : 0) + brought.duplicates,
    rejected: (isOpen ? last.rejected : 0) + brought.rejected,
    bytes: (isOpen ? last.bytes : 0) + brought.bytes,
    repeats: (isOpen ? last.repeats : 0) + (brought.repeats ? 1 : 0),
  };
  const kept = isOpen ? hours.slice(0, -1) : hours.slice(1 - HOURS_KEPT);
  kept.push(now);
  return kept;
}
