import { entityOf } from '../maths/series/units.js';
import { SECOND } from '../time.js';
import type { Checkpoint } from './ports.js';
import type { Input, Recipe } from './recipe.js';

/**
 * What changed since a table was built: of each signal and each stream the earliest time at which a point or
 * an event came, went or became another (epoch ms; -Infinity where all of it may be another).
 */
export type Changes = {
  readonly signals: ReadonlyMap<string, number>;
  readonly streams: ReadonlyMap<string, number>;
};

/** The latest of a table's checkpoints (in order) before which nothing changed; null: there is none. */
export const latestHolding = (
  recipe: Recipe,
  checkpoints: readonly Checkpoint[],
  changes: Changes,
): Checkpoint | null => checkpoints.findLast(each => holds(recipe, each, changes)) ?? null;

function holds(recipe: Recipe, { entity, readTo }: Checkpoint, { signals, streams }: Changes): boolean {
  for (const { stream } of recipe.event_streams) {
    const time = streams.get(stream);
    // The rows of other entities before these end with the past, where the events are
    if (time !== undefined && (entity !== null || time < readTo)) return false;
  }
  for (const [key, time] of signals) {
    const uses = usesOf(recipe, key, entity !== null);
    if (uses.some(used => !isAfter(used, time, entity, readTo))) return false;
  }
  return true;
}

type Used = { readonly input: Input | null; readonly entity: string | null };

/** As what a signal stands in the table, and of which entity. */
function usesOf({ target, inputs }: Recipe, key: string, isByEntity: boolean): Used[] {
  const own = isByEntity ? entityOf(key) : null;
  const base = own?.base ?? key;
  const entity = own?.entity ?? null;
  return [
    ...(base === target ? [{ input: null, entity }] : []),
    ...inputs.filter(input => input.key === base).map(input => ({ input, entity })),
    // What an entity has no signal of is that of the plain key
    ...(own ? inputs.filter(input => input.key === key).map(input => ({ input, entity: null })) : []),
  ];
}

/** Whether a change touches no row before a checkpoint at an entity. */
function isAfter(
  { input, entity: whose }: Used,
  time: number,
  entity: string | null,
  readTo: number,
): boolean {
  if (entity !== null) {
    if (whose === null || whose < entity) return false;
    if (whose > entity) return true;
  }
  if (input?.role === 'static') return false;
  return time + (input?.lag_s ?? 0) * SECOND >= readTo;
}
