import { SEPARATOR, UNGROUPED } from '../maths/series/units.js';
import type { Entities, GroupBy } from './settings.js';

/** The signal of an entity of a base. */
export const keyOf = (base: string, entity: string): string => base + SEPARATOR + entity;

/**
 * Whether a text is like a pattern: `*` stands for any characters, also none, `?` for one, all else for
 * itself. In time of length times length at most, whatever the pattern.
 */
export function isLike(text: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  /** Behind the last `*`, and as far as it has eaten. */
  let star = -1;
  let eaten = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = ++place;
      eaten = at;
    } else if (place < pattern.length && (pattern[place] === '?' || pattern[place] === text[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star;
      at = ++eaten;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}

/** Whether a fleet wants an entity that there is. */
export function isWanted(entities: Entities, entity: string): boolean {
  if (entities === 'all') return true;
  return 'pattern' in entities ? isLike(entity, entities.pattern) : entities.includes(entity);
}

/** The group of an entity; that of those whose name has no such part. */
export function groupOf(by: GroupBy, entity: string): string {
  const part = 'prefix' in by ? entity.slice(0, by.prefix) : (entity.split(by.separator)[by.part - 1] ?? '');
  return part === '' ? UNGROUPED : part;
}

/** Entities (places in the list) by their groups, groups in order of their names. */
export function grouped(by: GroupBy, entities: readonly string[]): readonly (readonly [string, number[]])[] {
  const groups = new Map<string, number[]>();
  entities.forEach((entity, i) => {
    const name = groupOf(by, entity);
    const places = groups.get(name);
    if (places) places.push(i);
    else groups.set(name, [i]);
  });
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
