import { DAY, SECOND } from '../time.js';
import type { Need } from './columns.js';
import { kinds } from './features/kinds.js';
import { lookAheadOf } from './fill.js';
import type { ColumnRole } from './ports.js';
import type { EventStream, Feature, FeatureOf, FeatureKind, Input, Recipe } from './recipe.js';

export type PlannedColumn = { readonly name: string; readonly role: ColumnRole };

/** The columns of a table in the order in which they are told: groups of roles, each in order of names. */
export type Plan = {
  readonly columns: readonly PlannedColumn[];
  readonly features: readonly Feature[];
  /** How many rows before the one at work something looks at, by column. */
  readonly back: ReadonlyMap<string, number>;
  /** Columns of what events do to the target. */
  readonly responses: readonly string[];
  /** How many rows after it must be read before holes are filled. */
  readonly lookAhead: number;
};

const byName = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
const sorted = <T>(list: readonly T[], nameOf: (item: T) => string): T[] =>
  [...list].sort((a, b) => byName(nameOf(a), nameOf(b)));

export const columnOfStream = ({ stream, encoding }: EventStream): string => `${stream}:${encoding}`;
export const columnsOfFeature = <K extends FeatureKind>({ kind, name, params }: FeatureOf<K>) =>
  kinds[kind].names(name, params);
export const needsOfFeature = <K extends FeatureKind>({ kind, params }: FeatureOf<K>): readonly Need[] =>
  kinds[kind].needs(params);

/** Inputs and streams in the order of their columns. */
export const inputsOf = (recipe: Recipe): Input[] => sorted(recipe.inputs, ({ key }) => key);
export const streamsOf = (recipe: Recipe): EventStream[] => sorted(recipe.event_streams, columnOfStream);
export const enabledOf = (recipe: Pick<Recipe, 'features'>): Feature[] =>
  recipe.features.filter(({ enabled }) => enabled);

export function planOf(recipe: Recipe): Plan {
  const features = enabledOf(recipe);
  const back = new Map<string, number>();
  for (const need of features.flatMap(feature => needsOfFeature(feature)))
    back.set(need.column, Math.max(need.back, back.get(need.column) ?? 0));
  return {
    features,
    back,
    responses: [
      ...streamsOf(recipe)
        .filter(({ encoding }) => encoding === 'response_curve')
        .map(columnOfStream),
      ...features.flatMap(({ name, kind }) => (kind === 'event_response' ? [name] : [])),
    ],
    lookAhead: recipe.inputs.some(({ role }) => role !== 'static') ? lookAheadOf(recipe.fill) : 0,
    columns: [
      { name: recipe.target, role: 'target' },
      ...inputsOf(recipe).map(({ key, role }) => ({ name: key, role })),
      ...streamsOf(recipe).map(stream => ({ name: columnOfStream(stream), role: 'event' as const })),
      ...sorted(features, ({ name }) => name).flatMap(feature =>
        columnsOfFeature(feature).map(name => ({ name, role: 'feature' as const })),
      ),
    ],
  };
}

/** Whether steps are whole days of the recipe's zone. */
export const isOfDays = ({ step_s: seconds, step_months: months }: Recipe): boolean =>
  months !== undefined || (seconds * SECOND) % DAY === 0;
