import type { Evidence } from '../../domain/alerts/facts.js';
import type { AlertKind, AlertSeverity } from '../../domain/alerts/kinds.js';
import type { LiveAlert } from '../../domain/alerts/state.js';

// All times are epoch ms.

/** A rule as it stands. What lists are sorted and filtered by is repeated outside of its state. */
export type AlertDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly alert_id: string;
  readonly goal_id: string | null;
  /** Its goal (`goalKey`); null: it has none. */
  readonly goal: string | null;
  /** The stream that it waits at (`streamKey`); null: it waits at none. */
  readonly stream: string | null;
  readonly kind: AlertKind;
  readonly enabled: boolean;
  /** It could not be checked. */
  readonly failing: boolean;
  /** When something may become of it without a new check; null: never. */
  readonly due_at: number | null;
  /** When people last made or changed it. */
  readonly changed_at: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly state: LiveAlert;
};

export const INSTANCE_STATES = ['firing', 'acknowledged', 'resolved'] as const;
export type InstanceDoc = {
  readonly _id: string;
  readonly alert: string;
  readonly goal: string | null;
  readonly instance_id: string;
  readonly alert_id: string;
  readonly goal_id: string | null;
  readonly state: (typeof INSTANCE_STATES)[number];
  readonly severity: AlertSeverity;
  /** When it began to hold, and when it fired. */
  readonly since: number;
  readonly fired_at: number;
  readonly acknowledged_at: number | null;
  readonly acknowledged_by: string | null;
  readonly snoozed_until: number | null;
  readonly resolved_at: number | null;
  /** Null: it did not hold any more, or it is not resolved. */
  readonly resolved_by: string | null;
  /** How often its author was told again. */
  readonly repeats: number;
  readonly evidence: Evidence;
};

export const alertDocId = (workspace: string, alertId: string): string => `${workspace}/${alertId}`;
export const instanceDocId = (workspace: string, instanceId: string): string => `${workspace}/${instanceId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
export const streamKey = (workspace: string, stream: string): string => `${workspace}/${stream}`;
