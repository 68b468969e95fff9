import { Rejected } from '../../domain/rejected.js';
import { checkRecipe } from '../../domain/segments/check.js';
import type { KeptRecipe } from '../../domain/segments/facts.js';
import {
  DEFAULTS,
  type Feature,
  type FeatureKind,
  type Normalization,
  type Recipe,
} from '../../domain/segments/recipe.js';
import { stepLength, type StepLength } from '../../domain/segments/steps.js';
import { iso } from '../../domain/time.js';
import type { FromSchema } from '../../json-schema.js';
import type { Fault } from '../edge/errors.js';
import { timeIn } from '../edge/times.js';
import { checkOf, type Check } from '../edge/validation.js';
import { object } from '../../json-schema.js';
import {
  featureParams,
  kinds,
  type featureBody,
  type normalizationBody,
  type recipeBody,
} from './recipe-schemas.js';

type Given = FromSchema<typeof recipeBody>;
type GivenFeature = FromSchema<typeof featureBody>;
type Place = readonly (string | number)[];

const checks = new Map<FeatureKind, Check>(
  kinds.map(kind => [kind, checkOf(object({ params: featureParams[kind] }), 'body')]),
);

/**
 * The recipe that a body means, with what stands for the parts it does not name. `length`: of its steps,
 * where the body's `step_s` is not to say it.
 * @throws Rejected 422 that names the field
 */
export function recipeIn(given: Given, length: StepLength = stepLength(given.step_s)): Recipe {
  const { target, fill = {}, split = {}, normalization, features = [] } = given;
  const recipe: Recipe = {
    target,
    ...length,
    inputs: (given.inputs ?? []).map(({ key, role, lag_s, transform }) => ({
      key,
      role: role ?? DEFAULTS.input.role,
      lag_s: lag_s ?? DEFAULTS.input.lag_s,
      transform: transform ?? DEFAULTS.input.transform,
    })),
    event_streams: (given.event_streams ?? []).map(({ stream, encoding, half_life_s }) => ({
      ...{ stream, encoding },
      half_life_s: half_life_s ?? DEFAULTS.event_stream.half_life_s,
    })),
    entity_mode: given.entity_mode ?? DEFAULTS.entity_mode,
    timezone: given.timezone ?? DEFAULTS.timezone,
    from: timeOf(given, 'from'),
    to: timeOf(given, 'to'),
    fill: {
      method: fill.method ?? DEFAULTS.fill.method,
      max_gap_steps: fill.max_gap_steps ?? DEFAULTS.fill.max_gap_steps,
    },
    aggregate: given.aggregate ?? DEFAULTS.aggregate,
    normalization: normalization ? normalizationIn(normalization) : DEFAULTS.normalization,
    features: features.map((feature, i) => featureIn(feature, ['features', i])),
    split: {
      method: 'rolling_origin',
      folds: split.folds ?? DEFAULTS.split.folds,
      horizon: split.horizon ?? DEFAULTS.split.horizon,
      gap: split.gap ?? DEFAULTS.split.gap,
    },
  };
  checkRecipe(recipe);
  return recipe;
}

function timeOf(given: Given, name: 'from' | 'to'): number | null {
  const value = given[name] ?? null;
  return value === null ? null : timeIn(value, ['body', name]);
}

export const normalizationIn = (given: FromSchema<typeof normalizationBody>): Normalization => ({
  method: given.method,
  scope: given.scope ?? DEFAULTS.normalization.scope,
});

/** A feature with just the params of its kind; `place`: where it stands in the body. */
export function featureIn({ name, kind, params, enabled }: GivenFeature, place: Place): Feature {
  at(place, () => checks.get(kind)!({ params }));
  const own = Object.keys(featureParams[kind].properties);
  const only = Object.fromEntries(own.map(member => [member, params[member]]));
  return { name, kind, params: only, enabled: enabled ?? true } as Feature;
}

/** What is refused in a part of a body is refused at its place in it. */
function at(place: Place, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw moved(error, loc => ['body', ...place, ...loc.slice(1)]);
  }
}

/** Runs a change of one feature: what is wrong with it in the recipe is told of the body alone. */
export async function ofBody<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw moved(error, loc => (loc[1] === 'features' ? ['body', ...loc.slice(3)] : loc));
  }
}

function moved(error: unknown, to: (loc: Fault['loc']) => Fault['loc']): unknown {
  if (!(error instanceof Rejected) || error.code !== 'validation_error') return error;
  const faults = (error.details['detail'] ?? []) as readonly Fault[];
  const detail = faults.map(fault => ({ ...fault, loc: to(fault.loc) }));
  return new Rejected(error.kind, error.code, error.message, { ...error.details, detail });
}

/** A recipe as bodies give it. */
export const givenOf = ({ from, to, ...recipe }: KeptRecipe): Given =>
  ({
    ...recipe,
    from: from === null ? null : iso(from),
    to: to === null ? null : iso(to),
  }) as unknown as Given;
