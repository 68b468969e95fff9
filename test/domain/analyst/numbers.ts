import type { StoredFact } from '../../../domain/analyst/fact.js';

const UNITS: Readonly<Record<string, number>> = {
  ...{ second: 1, minute: 60, hour: 3_600, day: 86_400 },
};

/** Numbers of a text that no fact holds: only rounding, percent and units of time may differ. */
export function unfounded(text: string, facts: readonly StoredFact[]): string[] {
  // Names and times stand in it as they are; a time that is stored as epoch ms as ISO 8601
  const names = facts.flatMap(({ value }) => {
    if (typeof value === 'string') return [value];
    return value > 1e12 && value < 4e12 ? [new Date(value).toISOString()] : [];
  });
  let rest = text;
  for (const name of [...names].sort((a, b) => b.length - a.length)) rest = rest.replaceAll(name, ' ');
  const numbers = facts.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const found = rest.matchAll(/(-?\d[\d.]*(?:e[+-]?\d+)?)(%| (?:second|minute|hour|day)s?)?/g);
  return [...found].flatMap(([token, digits = '', unit = '']) => {
    const shown = digits.replace(/\.$/, '');
    const decimals = shown.includes('e') ? null : (shown.split('.')[1] ?? '').length;
    const scale = unit === '%' ? 100 : 1 / (UNITS[unit.trim().replace(/s$/, '')] ?? 1);
    const isThat = (number: number): boolean => {
      const off = Math.abs(number * scale - Number(shown));
      const least = decimals === null ? Math.abs(number) * 1e-3 : 0.5 * 10 ** -decimals;
      return off <= least * (1 + 1e-9);
    };
    return numbers.some(isThat) ? [] : [token];
  });
}
