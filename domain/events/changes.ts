import type { Changes, Details } from './facts.js';

/** What of the wanted changes is not so yet. */
export function changesTo(
  event: { readonly occurredAt: number; readonly details: Details },
  wanted: Changes,
): Changes {
  const present: Record<string, unknown> = { ...event.details, occurredAt: event.occurredAt };
  const differing = Object.entries(wanted).filter(
    ([member, value]) => !same(value ?? null, present[member] ?? null),
  );
  return Object.fromEntries(differing) as Changes;
}

/** What leads from some details to others; a member that is gone is cleared. */
export function differences(before: Details, after: Details): Changes {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Details)[];
  const differing = members.filter(member => !same(before[member] ?? null, after[member] ?? null));
  return Object.fromEntries(differing.map(member => [member, after[member] ?? null]));
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The details after a change; what became null is no longer given. */
export const applied = (details: Details, { occurredAt: _, ...changes }: Changes): Details =>
  Object.fromEntries(Object.entries({ ...details, ...changes }).filter(([, value]) => value !== null));
