import type { Json } from '../json.js';

// What the stories about the analyst share: whether the numbers of a text stand in the facts that it names.

type Fact = { readonly kind: string; readonly id: string; readonly field: string; readonly value: Json };

/** Numbers of a text, each with how many decimals it shows and what stands behind it. */
function shown(text: string): { value: number; decimals: number; unit: string; token: string }[] {
  const found = text.matchAll(/(?<![\w.])[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(\s?[%\p{L}]*)/gu);
  return [...found].map(([token, unit = '']) => {
    const digits = token
      .slice(0, token.length - unit.length)
      .replaceAll(',', '')
      .replace('−', '-');
    return {
      value: Math.abs(Number(digits)),
      decimals: digits.split('.')[1]?.length ?? 0,
      unit: unit.trim().toLowerCase(),
      token,
    };
  });
}

/** Every number that facts hold; of texts and times the numbers in them, for dates are told in parts. */
function held(value: Json): number[] {
  if (typeof value === 'number') {
    const time = value > 1e11 && value < 1e14 ? held(new Date(value).toISOString()) : [];
    return [Math.abs(value), ...time];
  }
  if (typeof value === 'string') return (value.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  if (value !== null && typeof value === 'object')
    return Object.values(value).flatMap(each => held(each as Json));
  return [];
}

const SECONDS: readonly [RegExp, number][] = [
  [/^s/, 1],
  [/^m(in|$)/, 60],
  [/^h/, 3_600],
  [/^d/, 86_400],
  [/^w/, 604_800],
];

/** The numbers of a text that no fact holds: rounding, percent and units of time may differ. */
export function unfounded(text: string, facts: readonly Fact[]): string[] {
  const numbers = facts.flatMap(({ value }) => held(value));
  const stands = ({ value, decimals, unit }: ReturnType<typeof shown>[number]): boolean => {
    const scales = [1];
    if (unit.startsWith('%') || unit.startsWith('percent')) scales.push(100);
    for (const [pattern, seconds] of SECONDS) if (pattern.test(unit)) scales.push(1 / seconds);
    return numbers.some(number =>
      scales.some(scale => {
        const off = Math.abs(number * scale - value);
        // Rounded as it is shown, or to as many places as matter
        return off <= 0.5 * 10 ** -decimals + 1e-9 || (decimals === 0 && off <= 0.005 * value);
      }),
    );
  };
  return shown(text)
    .filter(each => !stands(each))
    .map(({ token }) => token);
}

/** What lies at a path such as `points.0.quantiles.0.5` or `points[0].mean`; undefined where nothing does. */
export function at(json: Json, path: string): Json {
  if (path === '') return json;
  if (json === null || typeof json !== 'object') return undefined;
  const rest = path.replace(/^[.[]/, '').replace(/^["'](.*?)["']\]/, '$1');
  for (const key of Object.keys(json)) {
    if (!rest.startsWith(key)) continue;
    const behind = rest.slice(key.length).replace(/^\]/, '');
    if (behind !== '' && !/^[.[]/.test(behind)) continue;
    const found = at(json[key], behind);
    if (found !== undefined) return found;
  }
  return undefined;
}
