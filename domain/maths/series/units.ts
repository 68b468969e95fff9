import { DIVIDING, DIVISORS, PRICED } from './unit-prices.js';
import { UNIT_RULES, type UnitRule } from './unit-rules.js';
import { AGGREGATES } from './unit-words.js';

/** The group of keys that belong to none. */
export const UNGROUPED = 'ungrouped';

/** The automatic group of a key: what stands before its first dot. */
export function autoGroupOf(key: string): string {
  const dot = key.indexOf('.');
  return dot > 0 ? key.slice(0, dot) : UNGROUPED;
}

/** Between the base and the entity of a fan-out key. */
export const SEPARATOR = '__';

/**
 * The parts of a fan-out key `<base>__<entity>`, cut at the first `__` that leaves a base and an entity;
 * null: it is none.
 */
export function entityOf(key: string): { readonly base: string; readonly entity: string } | null {
  const at = key.indexOf(SEPARATOR, 1);
  const entity = at < 0 ? '' : key.slice(at + SEPARATOR.length);
  return entity === '' ? null : { base: key.slice(0, at), entity };
}

/**
 * The unit that a key tells by its last words (`UNIT_RULES`), or null when none is sure. Words are what
 * stands between signs, and `priceEur` are two; an entity is not looked at. `a_per_b` is a/b, `eur_mwh` a
 * price; two currencies side by side are a rate of exchange and none.
 */
export function inferredUnit(key: string): string | null {
  const words = wordsOf(entityOf(key)?.base ?? key);
  while (words.length > 1 && AGGREGATES.includes(words.at(-1)!)) words.pop();
  const per = words.indexOf('per');
  return per < 0 ? suffixUnit(words) : perUnit(words.slice(0, per), words.slice(per + 1));
}

function perUnit(before: readonly string[], after: readonly string[]): string | null {
  const [word] = after;
  const rule = ruleOf(before, true);
  if (after.length !== 1 || word === undefined || !rule) return null;
  const divisor = ruleOf(['per', word], false);
  const unit = DIVISORS[word] ?? (divisor && DIVIDING.has(divisor.kind) ? divisor.unit : null);
  return unit === null ? null : `${rule.unit}/${unit}`;
}

function suffixUnit(words: readonly string[]): string | null {
  const rule = ruleOf(words, false);
  const before = ruleOf(words.slice(0, -1), true);
  if (!rule || before?.kind !== 'currency') return rule?.unit ?? null;
  return PRICED.includes(rule.kind) ? `${before.unit}/${rule.unit}` : null;
}

/** The rule of the last word; `alone`: it may be the only one, whatever the rule says. */
function ruleOf(words: readonly string[], alone: boolean): UnitRule | null {
  const last = words.at(-1);
  const earlier = words.slice(0, -1);
  if (last === undefined) return null;
  const fits = (rule: UnitRule): boolean => {
    if (!rule.words.includes(last)) return false;
    if (rule.after) return rule.after.some(word => earlier.includes(word));
    return alone || rule.alone === true || earlier.length > 0;
  };
  return UNIT_RULES.find(fits) ?? null;
}

const wordsOf = (key: string): string[] =>
  key
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '');
