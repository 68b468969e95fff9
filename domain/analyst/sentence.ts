import { iso } from '../time.js';
import type { StoredFact } from './fact.js';

/** How a fact is put into a sentence. */
export type Shown = { readonly fact: StoredFact; readonly text: string };
export type Told = { readonly text: string; readonly facts: readonly StoredFact[] };

/**
 * A sentence of facts. All that is put into it are facts, or nothing: with one that is missing there is no
 * sentence. So a sentence has no number that is not in its facts.
 */
export function sentence(parts: TemplateStringsArray, ...facts: readonly (Shown | null)[]): Told | null {
  if (facts.includes(null)) return null;
  const shown = facts as readonly Shown[];
  return {
    text: parts.map((part, i) => part + (shown[i]?.text ?? '')).join(''),
    facts: shown.map(({ fact }) => fact),
  };
}

/** Sentences one after the other; those that are not there are left out. Each fact stands once. */
export function told(...sentences: readonly (Told | null)[]): Told {
  const there = sentences.filter(one => one !== null);
  const facts = new Map<string, StoredFact>();
  for (const fact of there.flatMap(one => one.facts))
    facts.set(JSON.stringify([fact.kind, fact.id, fact.field]), fact);
  return { text: there.map(({ text }) => text).join(' '), facts: [...facts.values()] };
}

/** A time as ISO 8601, also where it is stored as epoch ms. */
export const time = (fact: StoredFact | null): Shown | null =>
  fact && { fact, text: typeof fact.value === 'number' ? iso(fact.value) : fact.value };

/** A name as it is. */
export const named = (fact: StoredFact | null): Shown | null => fact && { fact, text: String(fact.value) };

/** A number to at most four digits that count; whole ones and large ones to the unit. */
export function number(fact: StoredFact | null): Shown | null {
  if (fact === null || typeof fact.value !== 'number') return null;
  return { fact, text: digits(fact.value) };
}

/** A whole number of things, and their name. */
export function counted(fact: StoredFact | null, thing: string): Shown | null {
  if (fact === null || typeof fact.value !== 'number') return null;
  return { fact, text: `${digits(fact.value)} ${thing}${fact.value === 1 ? '' : 's'}` };
}

/** A share as percent, to the unit; small ones to a tenth. */
export function percent(fact: StoredFact | null): Shown | null {
  if (fact === null || typeof fact.value !== 'number') return null;
  const value = 100 * fact.value;
  const text = value.toFixed(Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
  return { fact, text: `${Number(text) === 0 ? '0' : text}%` };
}

const DIGITS = 4;
function digits(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= 15 || size < -6) return value.toPrecision(DIGITS);
  const text = value.toFixed(Math.max(0, DIGITS - 1 - size));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * Seconds in the largest unit that they are two of, or exactly one: to a tenth below ten of it, then to the
 * unit. `1 minute`, `67 seconds`, `2.5 hours`.
 */
export function duration(fact: StoredFact | null): Shown | null {
  if (fact === null || typeof fact.value !== 'number') return null;
  const { value } = fact;
  const fits = UNITS.find(([, length]) => value === length || Math.abs(value) >= 2 * length);
  const [unit, seconds] = fits ?? UNITS[3];
  const count = value / seconds;
  const text = String(Number(count.toFixed(Math.abs(count) < 10 ? 1 : 0)));
  return { fact, text: `${text} ${unit}${text === '1' ? '' : 's'}` };
}
