/** What a rule watches. */
export const ALERT_KINDS = [
  ...(['threshold', 'forecast_threshold', 'band_breach', 'anomaly', 'event', 'shock', 'drift'] as const),
  ...(['coverage', 'data_stale', 'edge_weakening', 'budget'] as const),
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export type Direction = 'above' | 'below';
/** What a kind is asked with; shares, levels and probabilities lie between 0 and 1. */
export type Watched =
  | { readonly kind: 'threshold'; readonly params: { readonly value: number; readonly direction: Direction } }
  | {
      readonly kind: 'forecast_threshold';
      readonly params: {
        readonly value: number;
        readonly direction: Direction;
        readonly probability: number;
        readonly withinSteps: number;
      };
    }
  | { readonly kind: 'band_breach'; readonly params: { readonly level: number } }
  | { readonly kind: 'anomaly'; readonly params: { readonly level: number } }
  | { readonly kind: 'event'; readonly params: { readonly stream: string; readonly minImportance: number } }
  | { readonly kind: 'shock' | 'edge_weakening'; readonly params: Readonly<Record<never, never>> }
  | { readonly kind: 'drift'; readonly params: { readonly worseBy: number } }
  | { readonly kind: 'coverage'; readonly params: { readonly below: number } }
  | { readonly kind: 'data_stale'; readonly params: { readonly cadences: number } }
  | { readonly kind: 'budget'; readonly params: { readonly share: number } };

type Nature = {
  /** It says something of a goal; the others are also there for a whole workspace. */
  readonly ofGoal: boolean;
  /** What it is checked at besides the beats of the cadence; `state`: whenever it is looked at. */
  readonly at: 'actuals' | 'forecasts' | 'events' | 'state';
  /** Without new data there is nothing to check. */
  readonly needsData: boolean;
};
export const natures: Readonly<Record<AlertKind, Nature>> = {
  threshold: { ofGoal: true, at: 'actuals', needsData: true },
  forecast_threshold: { ofGoal: true, at: 'forecasts', needsData: true },
  band_breach: { ofGoal: true, at: 'actuals', needsData: true },
  anomaly: { ofGoal: true, at: 'actuals', needsData: true },
  event: { ofGoal: false, at: 'events', needsData: false },
  shock: { ofGoal: true, at: 'state', needsData: false },
  drift: { ofGoal: true, at: 'actuals', needsData: true },
  coverage: { ofGoal: true, at: 'actuals', needsData: true },
  data_stale: { ofGoal: true, at: 'state', needsData: false },
  edge_weakening: { ofGoal: true, at: 'state', needsData: false },
  budget: { ofGoal: false, at: 'state', needsData: false },
};

/** It is held against each actual by itself. */
export const isOfStep = (kind: AlertKind): boolean =>
  kind === 'threshold' || kind === 'band_breach' || kind === 'anomaly';

/** Kinds that are there for a whole workspace, too. */
export const WITHOUT_GOAL: readonly AlertKind[] = ALERT_KINDS.filter(kind => !natures[kind].ofGoal);

export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** All of a rule that people set. Its kind stays what it was made as. */
export type AlertSettings = {
  readonly name: string;
  readonly watched: Watched;
  /** It must hold for so long before it fires, seconds. */
  readonly forS: number;
  readonly severity: AlertSeverity;
  /** Channels of its author by which they are told; none: as their preferences say. */
  readonly channels: readonly string[];
  readonly enabled: boolean;
  /** Epoch ms; null: it is not muted. */
  readonly muteUntil: number | null;
  /** It fires no sooner again after it was resolved, and tells no sooner again while it fires, seconds. */
  readonly cooldownS: number;
};
