// The share of the check of token, membership, scope and role in a read, at 64 connections: the same route of
// the same process, once behind the real check and once behind a stub that lets everybody in, in rounds by
// turns; with a thousand tokens, and with a million in 100,000 workspaces: `node dist/bench/auth.js
// [--quick]`.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { doorkeeper, type Admit } from '../api/edge/auth.js';
import { edge } from '../api/edge/edge.js';
import { onceOnly } from '../api/edge/idempotency.js';
import { Limiter } from '../api/edge/limiter.js';
import { defaultLimits } from '../api/edge/limits.js';
import { Endpoint } from '../api/edge/prepare.js';
import { routesOf } from '../api/edge/routes.js';
import { Uploads } from '../api/edge/uploads.js';
import { defaultBodyRules, WaitingBodies } from '../api/edge/waiting-bodies.js';
import { readConfig } from '../config.js';
import { scopes } from '../domain/tokens/scopes.js';
import { openPlatform, type Platform } from '../main.js';
import { EVENT, loadTenants, tokenOf, workspaceOf, type Size } from './auth-data.js';
import { median, memoryOf, quick, table, whole } from './common.js';
import { load, requestOf } from './load.js';

const ROUNDS = quick ? 3 : 9;
const SECONDS = quick ? 1 : 3;
const WARM_UP = 2;
const CONNECTIONS = 64;
const sizes: readonly Size[] = quick
  ? [
      { tokens: 1_000, workspaces: 100 },
      { tokens: 50_000, workspaces: 5_000 },
    ]
  : [
      { tokens: 1_000, workspaces: 100 },
      { tokens: 1_000_000, workspaces: 100_000 },
    ];
/**
 * How many different tokens the calls come with: as many clients as connections, and ever other ones (of
 * 20,000 picked at random).
 */
const callers = [64, 20_000];

type Ports = { readonly checked: number; readonly stub: number };
type Round = { readonly rate: number; readonly cpu: number };

async function serve(size: Size): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'presage-bench-'));
  const log = { info() {}, warn: console.warn, error: console.error, debug() {} };
  const platform = await openPlatform({
    config: readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }),
    log,
    running: ['api', 'projections'],
    owner: 'bench',
  });
  await loadTenants(platform.stores.models, size);
  const {
    clock,
    config: { CELL: cell },
  } = platform;
  const stub: Admit = (_, headers) => ({
    tokenId: 'tok_stub',
    tokenName: '',
    uid: 'usr_stub',
    scopes,
    workspaceIds: null,
    issuedAt: 0,
    expiresAt: null,
    workspace: headers['x-workspace-id'] as string,
    role: 'owner',
  });
  const servers = [
    appOf(
      platform,
      doorkeeper({ identity: platform.areas.identity.directory, clock, cell, cells: [] }),
      true,
    ),
    appOf(platform, stub, false),
  ].map(app => app.listen(0, '127.0.0.1'));
  await Promise.all(servers.map(server => server.listening || once(server, 'listening')));
  const [checked, stubbed] = servers.map((server: HttpServer) => (server.address() as AddressInfo).port);
  process.on('message', async message => {
    if (message === 'cpu')
      return process.send!(Object.values(process.cpuUsage()).reduce((sum, µs) => sum + µs));
    for (const server of servers) server.closeAllConnections();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  process.send!({ checked, stub: stubbed } as Ports);
}

/** The edge as `createServer` makes it, but for the check. */
function appOf({ rows, clock, stores, areas }: Platform, admit: Admit, counted: boolean): Koa {
  const many = { limit: 1_000_000_000, windowS: 60, per: 'token' } as const;
  const app = new Koa();
  const log = { info() {}, warn: console.warn, error: console.error };
  app.use(
    edge({
      routes: routesOf(rows.map(row => new Endpoint(row))),
      admit,
      limiter: new Limiter({ ...defaultLimits, default: many }, clock),
      once: onceOnly({ kv: stores.kv, clock, log }),
      maxInFlight: 10_000,
      bodies: new WaitingBodies(defaultBodyRules),
      uploads: new Uploads(tmpdir()),
      used: counted ? areas.identity.lastUses.note : () => undefined,
      observer: null,
      log,
    }),
  );
  return app;
}

async function compare(): Promise<void> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(size)]);
    const [ports] = (await once(child, 'message')) as [Ports];
    const loaded = memoryOf({ pid: child.pid! }).now;
    try {
      for (const different of callers)
        rows.push([
          `${whole(size.tokens)} in ${whole(size.workspaces)}`,
          ...(await measure(child, ports, size, different)),
          memory(child, loaded),
        ]);
    } finally {
      child.send('end');
      await once(child, 'exit');
    }
  }
  table(
    [
      'tokens in workspaces',
      'callers',
      'stub /s',
      'checked /s',
      'time added',
      'stub µs',
      'checked µs',
      'processor added',
      'MB loaded, after',
    ],
    rows,
  );
}

const memory = ({ pid }: ChildProcess, loaded: number): string =>
  `${whole(loaded)}, ${whole(memoryOf({ pid: pid! }).now)}`;

async function measure(child: ChildProcess, ports: Ports, size: Size, different: number): Promise<string[]> {
  const step = Math.max(1, Math.floor(size.tokens / different));
  const requests = Array.from({ length: Math.min(different, size.tokens) }, (_, i) => {
    const nth = i * step;
    return requestOf('GET', `/v1/event/${EVENT}`, {
      authorization: `Bearer ${tokenOf(nth)}`,
      'x-workspace-id': workspaceOf(nth, size),
    });
  });
  const next = () => requests[Math.floor(Math.random() * requests.length)]!;
  const rounds: Record<keyof Ports, Round[]> = { stub: [], checked: [] };
  for (const name of ['stub', 'checked'] as const)
    await load({ port: ports[name], connections: CONNECTIONS, seconds: WARM_UP, next });
  for (let round = 0; round < ROUNDS; round++)
    for (const name of round % 2 ? (['stub', 'checked'] as const) : (['checked', 'stub'] as const)) {
      const before = await cpuOf(child);
      const { rate, count } = await load({
        port: ports[name],
        connections: CONNECTIONS,
        seconds: SECONDS,
        next,
      });
      rounds[name].push({ rate, cpu: ((await cpuOf(child)) - before) / count });
    }
  const of = (name: keyof Ports, what: keyof Round) => median(rounds[name].map(round => round[what]));
  const added = (share: number) => `${((share - 1) * 100).toFixed(1)}%`;
  return [
    whole(requests.length),
    whole(of('stub', 'rate')),
    whole(of('checked', 'rate')),
    added(of('stub', 'rate') / of('checked', 'rate')),
    of('stub', 'cpu').toFixed(1),
    of('checked', 'cpu').toFixed(1),
    added(of('checked', 'cpu') / of('stub', 'cpu')),
  ];
}

/** Processor time of the server so far, µs. */
async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[number]>;
  child.send('cpu');
  return (await answer)[0];
}

if (process.send) await serve(JSON.parse(process.argv[2]!) as Size);
else await compare();
