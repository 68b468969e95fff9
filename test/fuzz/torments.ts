import type { Account } from '../cli/presage.js';
import type { Random } from '../random.js';

export type Operation = readonly [method: string, path: string];

const evil = [
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

const noise = (random: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));

const elsewhere = ['/v1/nothing', '/', '*', '/v1/event/', '/v1', '/favicon.ico'] as const;
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
] as const;
const queries = [
  'limit',
  'before',
  'cursor',
  'streams',
  'within_hours',
  'points',
  'max_points',
  'page',
  'per_page',
  'as_of',
  '__proto__',
  'constructor',
] as const;

function target(random: Random, template: string): string {
  const path = template.replace(/\{\w+\}/g, () => (random.chance(0.3) ? 'f' : segment(random)));
  const bent = random.chance(0.15)
    ? random.pick([
        `/${path}`,
        `${path}/`,
        path.replaceAll('/', '//'),
        `/.${path}`,
        `/x/..${path}`,
        path.toUpperCase(),
        `${path};a=b`,
        `${path}%20`,
        `http://h${path}`,
        `http://${path}`,
        path + '/a'.repeat(4_000),
      ])
    : path;
  return random.chance(0.4)
    ? `${bent}?${Array.from({ length: 1 + random.below(4) }, () => parameter(random)).join('&')}`
    : bent;
}

const parameter = (random: Random): string =>
  `${random.pick(queries)}${random.pick(['=', '', '[]=', '[a]='])}${segment(random)}`;

/** As it may stand in a request line: no spaces and no line ends, but also what is badly encoded. */
const segment = (random: Random): string => {
  const word = random.pick(evil);
  const raw = Buffer.from(word)
    .toString('latin1')
    .replace(/[\0-\x20\x7f]/g, '_');
  return (random.chance(0.5) ? encodeURIComponent(word) : raw).slice(0, 6_000);
};

const odd = [
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'Content-Encoding',
  'Accept',
  'Accept-Encoding',
  'Expect',
  'Upgrade',
  'Connection',
  'Origin',
  'Range',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'Cookie',
  'Traceparent',
  'Host',
  'TE',
  'Forwarded',
  '__proto__',
  'constructor',
] as const;
const given = [
  'gzip',
  'identity',
  'chunked',
  '100-continue',
  'websocket',
  '"1"',
  'W/"1"',
  '*',
  '"1-a", "2"',
  'h2c',
  'close',
  '0',
] as const;
const header = (random: Random): string =>
  random.chance(0.5)
    ? random.pick(given)
    : random
        .pick(evil)
        .replace(/[\0\r\n]/g, '')
        .replace(/[^\x20-\xff]/g, '\xfe')
        .slice(0, 4_000);

function headersOf(random: Random, { token, workspace }: Account): string[] {
  const own: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'X-Workspace-Id': workspace,
    'Content-Type': 'application/json',
  };
  if (random.chance(0.25))
    own[random.pick(['Authorization', 'X-Workspace-Id', 'Content-Type'])] = random.pick([
      header(random),
      'Bearer ',
      `bearer ${token}`,
      `Bearer ${token}x`,
      `Bearer psg_live_${'0'.repeat(50)}`,
      'Basic YTpi',
      `${workspace}x`,
      'text/plain',
      'application/json; charset=latin1',
      'multipart/form-data',
    ]);
  const more = Array.from({ length: random.below(4) }, () => `${random.pick(odd)}: ${header(random)}`);
  return [...Object.entries(own).map(([name, value]) => `${name}: ${value}`), ...more];
}

/** A request that is HTTP, and odd in everything else. */
export function oddRequest(random: Random, account: Account, operations: readonly Operation[]): Buffer {
  const [known, template] = random.chance(0.9)
    ? random.pick(operations)
    : (['GET', random.pick(elsewhere)] as const);
  const method = random.chance(0.8) ? known : random.pick(methods);
  const body = random.chance(0.6) ? badJson(random) : Buffer.alloc(0);
  const length = body.length > 0 || random.chance(0.2) ? [`Content-Length: ${body.length}`] : [];
  const head = [
    `${method} ${target(random, template)} HTTP/1.1`,
    'Host: h',
    ...headersOf(random, account),
    ...length,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

const noHttp = [
  'GET / HTTP/0.9\r\n\r\n',
  'GET /\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n',
  '\r\n'.repeat(500),
  'GET  /health HTTP/1.1\r\n\r\n',
  'GET /health HTTP/1.1\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: h\r\nX: \0\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: h\nConnection: close\n\n',
  `GET /health HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: h\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
  'GET /health HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(50),
  'GET /health HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n',
  'GET /health HTTP/1.1\r\n Host: folded\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost : h\r\n\r\n',
  'G\xc9T /health HTTP/1.1\r\nHost: h\r\n\r\n',
] as const;

/** What follows the headers of a recording: its lengths contradict themselves, each other, or what comes. */
const badLengths = [
  'Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ',
  'Content-Length: -1\r\n\r\n{}',
  'Content-Length: 1e3\r\n\r\n{}',
  'Content-Length: 99999999999999999999\r\n\r\n{}',
  'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'Content-Length: 100\r\n\r\n{"key":',
  'Transfer-Encoding: gzip\r\n\r\n{}',
  'Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}',
  'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  ...[
    'zz\r\n',
    '5\r\n{}',
    'ffffffffffffffff\r\n{}',
    '2\r\n{}\r\n0\r\n\r\n',
    '2;ext=x\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  ].map(chunks => `Transfer-Encoding: chunked\r\n\r\n${chunks}`),
];

/** What is no HTTP, or broken off. */
export function broken(random: Random, account: Account, operations: readonly Operation[]): Buffer {
  const whole = oddRequest(random, account, operations);
  const cut = random.below(whole.length);
  const post =
    `POST /v1/event/record HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${account.token}\r\n`
    + `X-Workspace-Id: ${account.workspace}\r\nContent-Type: application/json\r\n`;
  return random.pick([
    whole.subarray(0, cut),
    noise(random, 2_000),
    Buffer.concat([whole.subarray(0, cut), noise(random, 50), whole.subarray(cut)]),
    Buffer.from(random.pick(noHttp), 'latin1'),
    Buffer.from(post + random.pick(badLengths), 'latin1'),
  ]);
}
