import { LEAST_POINTS } from '../goals/refusals.js';
import type { GoalSettings } from '../goals/settings.js';
import { stepAsked, stepKept } from '../goals/steps.js';
import { isWanted, keyOf } from './entities.js';
import type { FleetSettings } from './settings.js';
import type { LiveFleet } from './state.js';

/** An entity that there is, and how many points its signal has. */
export type Entity = { readonly entity: string; readonly points: number };

/** The entities that are to get a goal, in order of their names, and how many more are wanted than may be. */
export function planOf(
  { settings, made }: Pick<LiveFleet, 'settings' | 'made'>,
  there: readonly Entity[],
): { readonly entities: readonly string[]; readonly beyond: number } {
  const { entities, maxGoals } = settings;
  const known = new Set(made.map(({ entity }) => entity));
  const wanted = Array.isArray(entities)
    ? (entities as readonly string[])
    : there.map(({ entity }) => entity).filter(entity => isWanted(entities, entity));
  const open = [...new Set(wanted)].filter(entity => !known.has(entity)).sort();
  const room = Math.max(0, maxGoals - made.length);
  return { entities: open.slice(0, room), beyond: Math.max(0, open.length - room) };
}

/** What may be mended by more points. */
const WAITS_FOR_POINTS: readonly string[] = ['insufficient_history', 'not_found'];

/** Whether an entity has come that can get a goal by itself: new, or with enough points now. */
export function hasNew(fleet: LiveFleet, there: readonly Entity[]): boolean {
  const { entities } = planOf(fleet, there);
  const failed = new Map(fleet.failed.map(({ entity, code }) => [entity, code]));
  const points = new Map(there.map(each => [each.entity, each.points]));
  return entities.some(entity => {
    const code = failed.get(entity);
    if (code !== undefined && !WAITS_FOR_POINTS.includes(code)) return false;
    return (points.get(entity) ?? 0) >= LEAST_POINTS;
  });
}

const MOST_CHARACTERS = 160;

/** The goal of an entity. `stepS`: the usual step of its target, seconds, where the template has none. */
export function goalOf(
  { name, baseKey, template }: FleetSettings,
  entity: string,
  stepS: number,
): GoalSettings {
  const { name: ownName, stepS: _, cadenceS, skipsDiscovery: __, ...rest } = template;
  return {
    ...rest,
    name: `${ownName ?? name} ${entity}`.slice(0, MOST_CHARACTERS),
    target: keyOf(baseKey, entity),
    // Goals of a fleet that names its step all have the same
    ...(template.stepS === null ? stepAsked(stepS) : stepKept({ ...template, stepS })),
    cadenceS: cadenceS ?? stepS,
  };
}
