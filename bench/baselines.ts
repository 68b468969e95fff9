import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { readBody } from '../api/edge/body.js';
import { defaultBodyRules, WaitingBodies } from '../api/edge/waiting-bodies.js';
import { parseJson } from '../api/edge/json.js';

// What recording is measured against: servers that do nothing but answer a constant. `node baselines.js
// bare|usual`, `node baselines.js signed SECRET`

/** As many as the whole API will have; those of today's areas are among them. */
const bodies = new WaitingBodies(defaultBodyRules);
const ROUTES = 150;
const answer = {
  data: {
    event_id: 'evt_01hwdz2b3c9f0c2e61a7d40b8e5f2',
    stream: 'stream-17',
    status: 'pending',
    scheduled: false,
  },
};

const taken = { data: { status: 'ok', kind: 'events', accepted: 1 } };

const apps = {
  /** Koa with a lean body reader. */
  bare: () =>
    new Koa().use(async ctx => {
      ctx.state['body'] = parseJson(await readBody(ctx.req, 2_000_000, bodies, '', ''));
      ctx.body = answer;
    }),
  /** Koa that verifies a webhook's HMAC over the bytes, and parses them. */
  signed: () =>
    new Koa().use(async ctx => {
      const raw = await readBody(ctx.req, 5_000_000, bodies, '', '');
      const digest = createHmac('sha256', process.argv[3]!).update(raw).digest();
      const given = Buffer.from(String(ctx.req.headers['x-signature']), 'hex');
      ctx.status = given.length === digest.length && timingSafeEqual(given, digest) ? 200 : 401;
      ctx.state['body'] = parseJson(raw);
      ctx.body = taken;
    }),
  /** Koa as it is usually put together: koa-body and one router with all routes. */
  usual: () => new Koa().use(koaBody()).use(router().routes()),
};

function router(): Router {
  const all = new Router().post('/v1/event/record', ctx => {
    ctx.body = answer;
  });
  for (let i = 1; i < ROUTES; i++)
    all.get(`/v1/area${i % 12}/thing${i}/:id`, ctx => {
      ctx.body = answer;
    });
  return all;
}

const server = createServer(apps[process.argv[2] as keyof typeof apps]().callback()).listen(
  0,
  '127.0.0.1',
  () => console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
