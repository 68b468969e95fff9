import type { Message } from '../fact.js';
import type { EdgeOf, Measured } from '../edges/facts.js';
import type { GoalSettings } from '../goals/settings.js';
import type { EffectsUsed, Reason } from '../maths/effects/answer.js';

/** What began a discovery. `shock`: a shock that ended without its edge being borne out. */
export const DISCOVERY_TRIGGERS = [
  ...(['activation', 'manual', 'schedule', 'drift', 'revision', 'shock', 'unblocked', 'changed'] as const),
] as const;
export type DiscoveryTrigger = (typeof DISCOVERY_TRIGGERS)[number];

export type Wanted = 'all' | readonly string[];
/** What is looked through: for edges that are not known yet, or edges that are. */
export type Scope =
  | {
      readonly kind: 'search';
      readonly signals: Wanted;
      readonly eventStreams: Wanted;
      readonly exclude: readonly string[];
    }
  | {
      readonly kind: 'recheck';
      readonly edgeIds: readonly string[];
      /** What each was validated with; absent: all are held to the alpha of the settings. */
      readonly alphas?: readonly number[];
    };

/** The alpha that an edge is held to. */
export function alphaFor(
  { scope, settings }: Pick<DiscoveryStarted['data'], 'scope' | 'settings'>,
  edgeId: string,
): number {
  if (scope.kind === 'search') return settings.alpha;
  return scope.alphas?.[scope.edgeIds.indexOf(edgeId)] ?? settings.alpha;
}

/** The series that is to be explained, as it was when the discovery was asked for. */
export type Subject = Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone' | 'horizon'>;
export type DiscoverySettings = {
  readonly method: 'default';
  readonly alpha: number;
  /** How far back a signal's past may reach; null: as far as horizon and data bear. */
  readonly maxLagS: number | null;
  readonly seed: number;
};

type OfDiscovery = { readonly discoveryId: string };
/** Whose it is, for those who follow its end. */
type OfGoal = OfDiscovery & {
  readonly goalId: string;
  readonly trigger: DiscoveryTrigger;
  readonly kind: Scope['kind'];
};

/** It waits. `asOf`: what was recorded until then is all that it sees, epoch ms. */
export type DiscoveryStarted = Message<
  'DiscoveryStarted',
  OfGoal & {
    readonly scope: Scope;
    readonly subject: Subject;
    readonly settings: DiscoverySettings;
    readonly asOf: number;
  }
>;
export type Source = Pick<EdgeOf, 'kind' | 'sourceKey'>;
/**
 * The sources that are looked at together. `edgeIds`: edges that were known; `leftOut`: how many sources
 * there were beyond the most that one takes in.
 */
export type DiscoveryBegan = Message<
  'DiscoveryBegan',
  OfDiscovery & {
    readonly sources: readonly Source[];
    readonly edgeIds: readonly string[];
    readonly leftOut: number;
  }
>;
/** All that they have within the target's time was read. */
export type DiscoveryGathered = Message<
  'DiscoveryGathered',
  OfDiscovery & { readonly steps: number; readonly points: number; readonly events: number }
>;
export type TestedVerdict = 'validated' | 'candidate' | 'rejected' | 'untested';
/** What was found of a source. The curves stand with the edges. `edgeId` null: it is none, and was none. */
export type TestedSource = Source & {
  readonly edgeId: string | null;
  readonly verdict: TestedVerdict;
  readonly reasons: readonly Reason[];
  readonly measured: Omit<Measured, 'responseCurve' | 'response'>;
};
export type DiscoveryWarning = { readonly code: string; readonly text: string };
/** `results` in the order of `sources`: those that were asked for. */
export type DiscoveryTested = Message<
  'DiscoveryTested',
  OfDiscovery & {
    readonly used: EffectsUsed;
    readonly tests: number;
    readonly results: readonly TestedSource[];
    readonly warnings: readonly DiscoveryWarning[];
  }
>;
/** All that was found stands in the edges. */
export type DiscoveryCompleted = Message<
  'DiscoveryCompleted',
  OfGoal & { readonly tested: number; readonly found: number; readonly rejected: number }
>;
export type DiscoveryFailed = Message<
  'DiscoveryFailed',
  OfGoal & { readonly code: string; readonly message: string }
>;
export type DiscoveryCancelled = Message<'DiscoveryCancelled', OfGoal>;

/** Journal `discovery-<workspace>.<discovery_id>`. */
export type DiscoveryFact =
  | DiscoveryStarted
  | DiscoveryBegan
  | DiscoveryGathered
  | DiscoveryTested
  | DiscoveryCompleted
  | DiscoveryFailed
  | DiscoveryCancelled;
