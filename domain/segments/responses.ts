import { Rejected } from '../rejected.js';
import { recipeFault } from './check.js';
import type { KeptResponse } from './facts.js';
import { targetOf } from './layout.js';
import { enabledOf } from './plan.js';
import type { EdgeResponse, Sources, UsedResponse } from './ports.js';
import { tellNumbers, type NewDigest } from './receipts.js';
import type { Recipe } from './recipe.js';

type Path = readonly (string | number)[];
/** A stream whose response a recipe has a column of, and where it asks for it. */
type Asked = { readonly stream: string; readonly path: Path };

function askedIn(recipe: Recipe): Asked[] {
  const streams = recipe.event_streams.flatMap(({ stream, encoding }, i) =>
    encoding === 'response_curve' ? [{ stream, path: ['event_streams', i, 'encoding'] }] : [],
  );
  const features = recipe.features.flatMap(({ kind, params, enabled }, i) =>
    kind === 'event_response' && enabled
      ? [{ stream: params.stream, path: ['features', i, 'params', 'stream'] }]
      : [],
  );
  return [...streams, ...features];
}

/** Streams whose responses a recipe has columns of. */
export const respondingTo = (recipe: Pick<Recipe, 'event_streams' | 'features'>): string[] => [
  ...recipe.event_streams.flatMap(({ stream, encoding }) => (encoding === 'response_curve' ? [stream] : [])),
  ...enabledOf(recipe).flatMap(({ kind, params }) => (kind === 'event_response' ? [params.stream] : [])),
];

/** All streams that a recipe names. */
export const streamsIn = ({ event_streams, features }: Pick<Recipe, 'event_streams' | 'features'>) => [
  ...event_streams.map(({ stream }) => stream),
  ...features.flatMap(({ kind, params }) => (kind === 'event_response' ? [params.stream] : [])),
];

/**
 * The one of several that a table uses: of a goal with steps as long as those of the table before others, and
 * of the largest lift.
 */
function chosenOf(found: readonly EdgeResponse[], { step_s: stepS }: Recipe): EdgeResponse | null {
  const isOfStep = (one: EdgeResponse): number => Number(one.stepS === stepS);
  const [best] = [...found].sort(
    (a, b) => isOfStep(b) - isOfStep(a) || b.lift - a.lift || (a.edgeId < b.edgeId ? -1 : 1),
  );
  return best ?? null;
}

/** What events of a stream do to the target of an entity; null: no edge that acts tells it. */
export async function responseFor(
  recipe: Recipe,
  stream: string,
  entity: string | null,
  sources: Sources,
): Promise<UsedResponse | null> {
  const chosen = chosenOf(await sources.responses(stream, targetOf(recipe, entity)), recipe);
  if (!chosen) return null;
  const { stepS: _stepS, lift: _lift, ...used } = chosen;
  return { ...used, stream, entity };
}

/** By stream and entity. */
export type Responses = {
  readonly of: (stream: string, entity: string | null) => UsedResponse | null;
  readonly all: readonly UsedResponse[];
};

/**
 * The responses of a table with these entities. Of an entity without one the column is empty.
 * @throws Rejected 422 validation_error where none of them has one
 */
export async function responsesOf(
  recipe: Recipe,
  sources: Sources,
  entities: readonly (string | null)[],
): Promise<Responses> {
  const found = new Map<string, ReadonlyMap<string | null, UsedResponse>>();
  for (const { stream, path } of askedIn(recipe)) {
    if (found.has(stream)) continue;
    const own = new Map<string | null, UsedResponse>();
    for (const entity of entities) {
      const one = await responseFor(recipe, stream, entity, sources);
      if (one) own.set(entity, one);
    }
    if (own.size === 0) throw noResponse(path, stream, recipe);
    found.set(stream, own);
  }
  return {
    of: (stream, entity) => found.get(stream)?.get(entity) ?? null,
    all: [...found.values()].flatMap(own => [...own.values()]),
  };
}

function noResponse(path: Path, stream: string, { target, entity_mode: mode }: Recipe): Rejected {
  const on = mode === 'single' ? target : `${target}__<entity>`;
  const message =
    `no effect of ${stream} on ${on} is validated: a goal with this target finds it`
    + ' (POST /v1/goals/{goal_id}/discovery); count, value and decay need none';
  const { kind, code, details } = recipeFault(path, 'edge', message);
  return new Rejected(kind, code, message, details);
}

const FIGURES = ['none', 'value', 'importance', 'impact'] as const;

/** All that a column is made by, besides events. */
export function digestOfResponse(used: UsedResponse | null, newDigest: NewDigest): string {
  const digest = newDigest();
  if (used) {
    const { stepS, offsets, effects } = used.response;
    const { by, mean } = used.weighing;
    tellNumbers(digest, [FIGURES.indexOf(by), mean, stepS, ...offsets, ...effects]);
  }
  return digest.digest();
}

/** So many are told of a table; those of tables of many entities stand in its file alone. */
export const MOST_TOLD = 100;

/** As a table's facts tell them. */
export const keptOf = (used: readonly UsedResponse[]): KeptResponse[] =>
  used.slice(0, MOST_TOLD).map(({ stream, entity, edgeId, goalId, checkId, checkedAt, weighing }) => ({
    ...{ stream, entity, edgeId, goalId, checkId, checkedAt, weighedBy: weighing.by },
  }));
