import type { GoalSettings } from '../goals/settings.js';

/** How forecasts of a fleet are made to add up. */
export const METHODS = ['none', 'bottom_up', 'top_down', 'ols', 'wls_struct', 'mint_shrink'] as const;
export type Method = (typeof METHODS)[number];

/** Which entities belong together: those with the same beginning, or the same part of their names. */
export type GroupBy =
  /** The first characters of a name. */
  | { readonly prefix: number }
  /** A name is split at each separator; parts are counted from 1. */
  | { readonly separator: string; readonly part: number };
export type Level = { readonly name: string; readonly groupBy: GroupBy };

/** `all`, some by name, or those whose names are like a pattern (`*` any characters, `?` any one). */
export type Entities = 'all' | readonly string[] | { readonly pattern: string };

/** What all goals of a fleet have in common. Null: as the target tells. */
export type Template = Omit<GoalSettings, 'name' | 'target' | 'stepS' | 'cadenceS'> & {
  /** What names of goals begin with; null: the fleet's name. */
  readonly name: string | null;
  readonly stepS: number | null;
  readonly cadenceS: number | null;
  readonly skipsDiscovery: boolean;
};

/** All of a fleet that people set. */
export type FleetSettings = {
  readonly name: string;
  /** Its goals forecast `<base>__<entity>`. */
  readonly baseKey: string;
  readonly entities: Entities;
  readonly template: Template;
  readonly reconciliation: { readonly method: Method; readonly levels: readonly Level[] };
  /** All its goals name the template's pipeline. */
  readonly sharedPipeline: boolean;
  readonly maxGoals: number;
  /** Entities that are new get a goal by themselves. */
  readonly autoSync: boolean;
};

/** More goals no fleet has. */
export const MOST_GOALS = 500;
/** Levels that are there without being named. */
export const TOTAL = 'total';
export const ENTITY = 'entity';
