import type { Account } from '../cli/presage.js';
import type { Random } from '../random.js';
import { badJson, evil, noise } from './bad-json.js';

export type Operation = readonly [method: string, path: string];

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
  'GET /health HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n'
    + 'Connection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n',
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
