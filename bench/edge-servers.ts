import { hash } from 'node:crypto';
import { createServer as httpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { readBody } from '../api/edge/body.js';
import { defaultBodyRules, WaitingBodies } from '../api/edge/waiting-bodies.js';
import { parseJson } from '../api/edge/json.js';
import { listen } from '../api/edge/listen.js';
import { row, type Row } from '../api/edge/row.js';
import { createServer } from '../api/edge/server.js';
import { object } from '../json-schema.js';
import { scopes } from '../domain/tokens/scopes.js';

export const WORKSPACE = 'wsp_bench';
const recorded = {
  event_id: 'evt_01hwdz2b3c9f0c2e61a7d40b8e5f2',
  stream: 'outages',
  status: 'pending',
  scheduled: false,
};
const answer = { data: recorded };
const bodies = new WaitingBodies(defaultBodyRules);
const ROUTES = 60;

/** Three servers that answer a POST with the same constant; each gives its port. */
export const servers = {
  bare: () =>
    port(
      new Koa().use(async ctx => {
        ctx.state.body = parseJson(await readBody(ctx.req, 2_000_000, bodies, '', ''));
        ctx.body = answer;
      }),
    ),
  edge: async (token: string) => (await listen(edgeApp(token), '127.0.0.1', 0)).port,
  usual: () => port(new Koa().use(koaBody()).use(manyRoutes().routes())),
};
export type ServerName = keyof typeof servers;

const port = (app: { callback: Koa['callback'] }): Promise<number> =>
  new Promise(resolve => {
    const server = httpServer(app.callback()).listen(0, '127.0.0.1', () =>
      resolve((server.address() as AddressInfo).port),
    );
  });

function manyRoutes(): Router {
  const router = new Router();
  for (let i = 0; i < ROUTES; i++)
    router.get(`/v1/area${i % 12}/thing${i}/:id`, ctx => {
      ctx.body = answer;
    });
  return router.post('/v1/event/record', ctx => {
    ctx.body = answer;
  });
}

const member = {
  role: 'owner',
  archivedAt: null,
  homeCell: 'here',
  lacksFactor: false,
  tokenDays: null,
} as const;
const many = { limit: 1_000_000_000, windowS: 60, per: 'workspace' } as const;

function edgeApp(token: string): Koa {
  const record = {
    tokenId: 'tok_bench',
    name: 'bench',
    uid: 'usr_bench',
    scopes,
    workspaceIds: null,
    issuedAt: 0,
    expiresAt: null,
    revokedAt: null,
    homeCell: 'here',
    internal: false,
  };
  const known = new Map([[hash('sha256', token), record]]);
  return createServer({
    rows: [recordRow, ...otherRows],
    clock: Date.now,
    config: { cell: 'here', limits: { push: many, 'push-points': many, 'push-bytes': many } },
    identity: { token: sha => known.get(sha) ?? null, member: () => member },
    kv: { get: async () => null, set: async () => null },
    log: { error: console.error, warn: console.warn, info: console.info },
    version: { service: '0', commit: '', builtAt: 0 },
    checks: () => ({ ready: true, checks: {}, figures: {} }),
  }).app;
}

const text = { type: 'string' } as const;
const recordRow = row({
  method: 'post',
  path: '/v1/event/record',
  operation: 'record',
  summary: 'Record',
  tag: 'Events',
  policy: 'push',
  access: { kind: 'workspace', scope: 'data.write' },
  body: object(
    {
      key: {
        ...text,
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
        'x-required': { code: 'k', message: 'k' },
      },
      text: { ...text, 'x-required': { code: 't', message: 't' } },
    },
    {
      occurred_at: { type: ['number', 'string', 'null'] },
      name: { type: ['string', 'null'] },
      source: { type: ['string', 'null'] },
      origin: { enum: ['manual', 'api', 'ingestion', null] },
      value: { type: ['number', 'null'] },
      data_type: { type: ['string', 'null'] },
      raw: {},
    },
  ),
  answers: { 200: { description: 'Recorded', schema: { type: 'object' } } },
  run: () => ({ body: answer }),
});

const otherRows: readonly Row[] = Array.from({ length: ROUTES }, (_, i) =>
  row({
    method: 'get',
    path: `/v1/${i < 9 ? 'event' : `area${i % 12}`}/thing${i}/{id}`,
    operation: `thing${i}`,
    summary: 'A thing',
    tag: 'Events',
    access: { kind: 'workspace', scope: 'data.read' },
    answers: { 200: { description: 'A thing', schema: { type: 'object' } } },
    run: () => ({ body: answer }),
  }),
);
