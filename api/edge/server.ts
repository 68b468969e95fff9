import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cors from '@koa/cors';
import Koa from 'koa';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { doorkeeper, type Admit, type Identity } from './auth.js';
import type { Cell } from './auth-refusals.js';
import { doorOf, type Door } from './door.js';
import { edge } from './edge.js';
import { overloaded } from './errors.js';
import { onceOnly } from './idempotency.js';
import { Limiter } from './limiter.js';
import type { Observer } from './observer.js';
import { defaultLimits, type LimitTable } from './limits.js';
import type { Log } from '../../commands/ports/log.js';
import { descriptionOf, type Description } from './openapi.js';
import { platformRows, type Readiness, type Version } from './platform.js';
import { Endpoint } from './prepare.js';
import { routesOf } from './routes.js';
import type { Row } from './row.js';
import { Uploads } from './uploads.js';
import { defaultBodyRules, WaitingBodies, type BodyRules } from './waiting-bodies.js';

export type ServerOptions = {
  /** The rows of the areas; those of the platform are added. */
  readonly rows: readonly Row[];
  readonly identity: Identity;
  /** Where claims on idempotency keys are kept. */
  readonly kv: KeyValue;
  readonly clock: () => number;
  readonly log: Log;
  readonly version: Version;
  readonly checks: () => Readiness | Promise<Readiness>;
  /** Which read models there is nothing to read from yet, answered as 503; null: all serve. */
  readonly building?: () => string | null;
  /** Hears of each token that is let in, on the request's path: must be quick. */
  readonly used?: (tokenId: string, from: { readonly ip: string }) => void;
  /** Watches every request from outside. */
  readonly observer?: Observer;
  readonly config: ServerConfig;
};

export type ServerConfig = {
  /** Name of this cell; the others, with the addresses to send their callers to. */
  readonly cell: string;
  readonly cells?: readonly Cell[];
  readonly publicProbe?: boolean;
  /** Origins that browsers may call from; none: CORS is off. `*`: any. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<LimitTable>;
  /** Largest JSON body of rows that say nothing else; bytes. */
  readonly bodyLimit?: number;
  /** Requests at once, beyond which the answer is 503. */
  readonly maxInFlight?: number;
  /** What is granted to bodies while they are being sent. */
  readonly bodies?: Partial<BodyRules>;
  /** The folder where files lie while they are being sent; one of the system's for such files unless said. */
  readonly uploads?: string;
  /** How long a claim on an idempotency key outlives its process; ms. A minute unless said otherwise. */
  readonly claimMs?: number;
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: number;
};

const MAX_IN_FLIGHT = 2_000;

/** The HTTP edge over all rows, and the description of them. Nothing listens yet (`listen.ts`). */
export function createServer(options: ServerOptions): {
  readonly app: Koa;
  readonly description: Description;
  readonly door: Door;
} {
  const { config, clock, log, used = () => undefined } = options;
  const { cell, cells = [], publicProbe = false, trustedProxies = 0, corsOrigins = [] } = config;
  let text: string | undefined;
  const rows = [
    ...platformRows({
      cell,
      clock,
      publicProbe,
      version: options.version,
      checks: options.checks,
      description: () => (text ??= JSON.stringify(description)),
    }),
    ...options.rows,
  ];
  const description = descriptionOf(rows);
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  // Koa reports sockets that end early; those are no faults, and all others are caught in the edge
  app.on('error', () => undefined);
  if (corsOrigins.length > 0) app.use(corsOf(corsOrigins));
  const admit = whenBuilt(doorkeeper({ identity: options.identity, clock, cell, cells }), options.building);
  const limiter = new Limiter({ ...defaultLimits, ...config.limits }, clock);
  app.use(
    edge({
      routes: routesOf(rows.map(row => new Endpoint(row, config.bodyLimit))),
      log,
      ...{ admit, limiter, used },
      once: onceOnly({ kv: options.kv, clock, log, claimMs: config.claimMs }),
      maxInFlight: config.maxInFlight ?? MAX_IN_FLIGHT,
      bodies: new WaitingBodies({ ...defaultBodyRules, ...config.bodies }),
      uploads: new Uploads(config.uploads ?? join(tmpdir(), 'presage-uploads')),
      observer: options.observer ?? null,
    }),
  );
  return { app, description, door: doorOf({ app, admit, used, limiter, corsOrigins }) };
}

const BUILT_AFTER_S = 5;

/** Whom an empty read model does not know is no stranger: until all serve, nobody is judged by them. */
const whenBuilt =
  (admit: Admit, building: () => string | null = () => null): Admit =>
  (access, headers) => {
    const words = access.kind === 'public' ? null : building();
    if (words === null) return admit(access, headers);
    throw overloaded(BUILT_AFTER_S, `The read models are being built (${words}); try again soon`);
  };

const EXPOSED = [
  'X-Request-Id',
  'X-Ignored-Fields',
  'X-As-Of',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Idempotency-Replayed',
  'WWW-Authenticate',
];

/** Tokens travel in a header and never in cookies, so no credentials are allowed. */
function corsOf(origins: readonly string[]): Koa.Middleware {
  const any = origins.includes('*');
  return cors({
    origin(ctx) {
      if (any) return '*';
      const origin = ctx.get('Origin');
      return origins.includes(origin) ? origin : '';
    },
    allowMethods: 'GET,HEAD,PUT,POST,DELETE,PATCH',
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
}
