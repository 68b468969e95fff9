import type { Random } from '../random.js';

/** Words that trip readers up. */
export const evil = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\0',
  'a\0b',
  '\u2028',
  '\ufeff',
  '\u{1f600}'.repeat(300),
  '..',
  '../../etc/passwd',
  '%00',
  '%',
  '%2',
  '%zz',
  '%c0%af',
  '%ff',
  '%2e%2e%2f',
  '$where',
  '{"$gt":""}',
  "' OR 1=1 --",
  '<script>',
  'x'.repeat(5_000),
  '',
  ' ',
  '\t',
  '\u202e',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  'mkt-evt:x',
  'evt_',
  'a,b,,c',
  '*',
  '"',
  '\\',
  ';',
  '#',
  '?',
  '&',
  '=',
  '[]',
  'é',
  'ÿ',
] as const;

const times = [
  '1e400',
  '-1',
  '1e20',
  '"2026-02-30"',
  '"2026-01-01T25:00:00Z"',
  '{}',
  '[1]',
  '99999999999999999999',
  '0.1',
  '-62135596800001',
] as const;
const values = ['1e308', '-1e308', '5e-324', '1e400', '"1"', '[]', '123456789012345678901234567890'] as const;
const plain = [
  '',
  ' ',
  '{',
  '}',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '[{}]',
  '{"key":',
  '{"key":"a","text":"b"',
  '\ufeff{}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{"a":01}',
  '[1,]',
  '{"key":"f","text":"t","raw":{"__proto__":{"polluted":1}}}',
  '{"key":"f","text":"\\u0000"}',
  '{"key":"f","text":"t","__proto__":{"occurred_at":"never"}}',
  '{"key":"f","text":"t","raw":"\\ud800"}',
  '{"key":"\\udc00","text":"\\ud800x"}',
  '{"key":"f","key":"g","text":"t","text":1}',
] as const;

/** Texts of JSON that no reader likes, some of them a megabyte and more; sometimes just bytes. */
export function badJson(random: Random): Buffer {
  if (random.chance(0.1)) return noise(random, 300);
  return Buffer.from(random.chance(0.4) ? random.pick(plain) : random.pick([strange, deep, large])(random));
}

function strange(random: Random): string {
  const word = JSON.stringify(random.pick(evil));
  const event = (more: string) => `{"key":"f","text":"t",${more}}`;
  const items = Array.from({ length: random.pick([0, 1, 500, 501]) }, () =>
    random.pick(['{}', 'null', '7', `{"key":${word},"text":${word}}`, '[]']),
  );
  const [time, value] = [random.pick([...times, word]), random.pick([...values, '1', word])];
  const pairs = Array.from({ length: random.pick([0, 1, 3, 5_001]) }, () =>
    random.pick([`[${time},${value}]`, '[0,1]', 'null', '{}', word]),
  );
  const points = Array.from({ length: random.pick([1, 3, 500]) }, () =>
    random.pick([
      `{"key":${word},"value":${value},"timestamp":${time},"entity":${word},"unit":${word}}`,
      `{"key":"f","value":1,"timestamp":${time}}`,
      word,
      '[]',
    ]),
  );
  return random.pick([
    `{"key":${word},"value":${value},"timestamp":${time}}`,
    `{"key":"f","value":${value},"entity":${word}}`,
    `{"key":"f","values":[${pairs.join(',')}]}`,
    `{"points":[${points.join(',')}]}`,
    `{"key":"f","values":${word},"points":${word}}`,
    `{"key":${word},"text":${word}}`,
    `{${word}:${word}}`,
    event(`${word}:{${word}:[${word}]}`),
    `{"events":${word}}`,
    event(`"occurred_at":${random.pick([...times, word])}`),
    event(`"value":${random.pick(values)}`),
    `{"events":[${items.join(',')}]}`,
    event(`"name":${random.pick(['0', '{}', word, `"${'n'.repeat(201)}"`])}`),
  ]);
}

function deep(random: Random): string {
  const depth = random.pick([10, 63, 64, 65, 1_000, 100_000]);
  const lists = '['.repeat(depth);
  const objects = '{"a":'.repeat(depth);
  return random.pick([
    lists,
    `{"key":"f","text":"t","raw":${lists}${']'.repeat(depth)}}`,
    `{"key":"f","text":"t","raw":${objects}1${'}'.repeat(depth)}}`,
    `{"key":"f","values":${lists}${']'.repeat(depth)}}`,
    `{"points":${objects}1${'}'.repeat(depth)}}`,
  ]);
}

const large = (random: Random): string =>
  random.pick([
    `{"key":"f","text":"${'y'.repeat(random.pick([100_000, 1_200_000, 2_100_000]))}"}`,
    `{${Array.from({ length: 2_000 }, (_, n) => `"member${n}":${n}`).join(',')}}`,
  ]);

/** Up to so many random bytes. */
export const noise = (random: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));
