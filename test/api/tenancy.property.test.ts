import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Handle } from '../../commands/engine/handle.js';
import { install } from '../../commands/installation.js';
import type { Register } from '../../commands/registration.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { receiver } from '../receivers.js';
import { suite } from '../suite.js';
import { recorded, START, turnOf, type Operation, type TurnOf } from './tenancy-operations.js';
import { ask, remember, requestOf, type Tenant } from './tenancy-requests.js';
import { DEPLOY, FORECAST, NONE_DRAWN, served, type Served } from './tenancy-served.js';
import { MAKE_SEGMENT, POINTS, segmented, type Segmented } from './tenancy-segments.js';
import { ADD_CHANNEL, tell, told, type Told } from './tenancy-told.js';

// Two tenants with the same streams, texts, times and keys on one platform; each of them also alone on a
// platform of its own, with the very same ids. Whatever the two do: each must get, byte for byte, what it
// gets where the other never was. Then nothing of one can be read, counted, named or changed by the other,
// whatever the way: lists, totals, errors, ETags, idempotency, limits.

const RUNS = Number(process.env['TENANCY_RUNS'] ?? 30);
const env = {
  ...{ RATE_DEFAULT: '13', RATE_PUSH: '6', RATE_PUSH_POINTS: '9', RATE_INFERENCE: '7' },
  ...{ SERVING_THREADS: '1', OUTGOING_ALLOW: '127.0.0.1' },
};
/** Runs that may be needed until everything was seen. */
const MORE = 60;
type Turn = TurnOf<Operation | Served | Told | Segmented>;
const turnFor = (by: number, operation: Turn['operation']): Turn => ({
  ...{ by, operation, meanwhile: null },
  ...{ astray: false, wait: 0 },
});
/** Both have something to ask, mostly. */
const opening = [0, 1].map(by => turnFor(by, DEPLOY));
/** More than may be asked at once, whatever is drawn else. */
const tooMany = Array.from({ length: 20 }, () => turnFor(0, FORECAST));

type Seen = { readonly answers: Set<number>; readonly calls: Set<string> };
type Tried = {
  readonly what: string;
  readonly turn: fc.Arbitrary<Turn>;
  readonly opening: readonly Turn[];
  /** These are tried first. */
  readonly examples: readonly Turn[][];
  readonly runs: number;
  /** These must have worked now and then: what is refused each time shows nothing. */
  readonly worked: readonly string[];
  readonly statuses: readonly number[];
};
const tried: readonly Tried[] = [
  {
    what: 'of streams, signals and groups',
    ...{ turn: turnOf(recorded), opening: [], examples: [], runs: RUNS },
    worked: [
      ...['POST /v1/signal/push', 'GET /v1/signal/points', 'GET /v1/signal/overview'],
      ...['POST /v1/signal/delete', 'POST /v1/event/record'],
      ...['GET /v1/billing/quota', 'GET /v1/billing/usage', 'POST /v1/billing/estimates'],
    ],
    statuses: [200, 201, 304, 403, 404, 409, 422, 429],
  },
  {
    what: 'of models, too',
    turn: turnOf(fc.oneof({ weight: 1, arbitrary: recorded }, { weight: 2, arbitrary: served })),
    ...{ opening, examples: [tooMany], runs: RUNS / 3 },
    worked: [
      ...['POST /v1/deployments', 'GET /v1/deployments', 'GET /v1/deployments/', 'POST /v1/models'],
      ...['POST /v1/inference/forecast', 'POST /v1/inference/impute', 'GET /v1/inference'],
      ...['GET /v1/inference/', 'GET /v1/inference/usage', 'POST /v1/inference//replay'],
    ],
    statuses: [200, 201, 202, 403, 404, 409, 410, 422, 429],
  },
  {
    what: 'of what they are told',
    turn: turnOf(told),
    ...{ opening: [0, 1].map(by => turnFor(by, ADD_CHANNEL)), examples: [], runs: RUNS / 2 },
    worked: [
      ...['GET /v1/notifications', 'GET /v1/notifications/unread-count', 'PUT /v1/notifications/preferences'],
      ...['read', 'unread', 'archive'].map(verb => `POST /v1/notifications//${verb}`),
      ...['POST /v1/notifications/read-all', 'POST /v1/notifications/channels'],
      ...['GET', 'PATCH', 'DELETE'].map(method => `${method} /v1/notifications/channels/`),
      ...['POST /v1/notifications/channels//test', 'GET /v1/notifications/channels//deliveries'],
    ],
    statuses: [200, 201, 403, 404, 409, 422, 429],
  },
  {
    what: 'of segments',
    turn: turnOf(fc.oneof({ weight: 1, arbitrary: recorded }, { weight: 2, arbitrary: segmented })),
    opening: [0, 1].flatMap(by => [...POINTS, MAKE_SEGMENT].map(operation => turnFor(by, operation))),
    ...{ examples: [], runs: RUNS / 3 },
    worked: [
      ...['GET /v1/segment', 'POST /v1/segment', 'POST /v1/segment/preview'],
      ...['GET', 'PUT', 'DELETE'].map(method => `${method} /v1/segment/`),
      ...['GET /v1/segment//versions', 'GET /v1/segment//versions/1', 'POST /v1/segment//rebuild'],
      ...['GET /v1/segment//normalization', 'PUT /v1/segment//normalization'],
      ...['GET /v1/segment//features', 'POST /v1/segment//features', 'POST /v1/segment//preview'],
      ...['PATCH', 'DELETE'].map(method => `${method} /v1/segment//features/`),
    ],
    statuses: [200, 201, 202, 403, 404, 409, 422, 429],
  },
];

/** Sums are listed by what they are of, also by ids, which are random. */
function inOrder<A extends { readonly text: string }>(answer: A): A {
  if (!answer.text.startsWith('{"buckets"')) return answer;
  const body = JSON.parse(answer.text) as { buckets: { key: string }[] };
  body.buckets.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...answer, text: JSON.stringify(body) };
}

suite('two tenants of one platform', test => {
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  let together: Running;
  let apart: readonly Running[];
  let hook: Awaited<ReturnType<typeof receiver>>;
  let now = START;
  let run = 0;
  let underWay = Promise.resolve();
  test.before(async () => {
    hook = await receiver();
    const start = (nth: number) =>
      startPlatform(folders[nth]!.path, {
        running: ['api', 'projections', 'serving'],
        env,
        clock: () => now,
      });
    together = await start(0);
    apart = [await start(1), await start(2)];
    for (const platform of [together, ...apart])
      for (const slug of ['nano', 'mini']) await warm(platform, slug);
  });
  test.after(async () => {
    for (const platform of [together, ...apart]) await platform.stop();
    await hook.close();
    for (const { remove } of folders) remove();
  });

  for (const { what, turn, opening: first, examples, runs, worked, statuses } of tried)
    test(`get what they would get alone, whatever both do ${what}`, async () => {
      const seen: Seen = { answers: new Set(), calls: new Set() };
      const some = fc.array(turn, { minLength: 30, maxLength: 60, size: 'max' });
      await fc.assert(
        fc.asyncProperty(some, async turns => {
          // One that is interrupted goes on until its end, and moves the clock
          const before = underWay;
          const mine = (async () => {
            await before.catch(() => undefined);
            await play([...first, ...turns], seen);
          })();
          underWay = mine;
          await mine;
        }),
        {
          numRuns: runs,
          examples: examples.map(turns => [turns]),
          interruptAfterTimeLimit: 90_000,
          markInterruptAsFailure: false,
          includeErrorInReport: true,
        },
      );
      await underWay;
      const missing = () => [
        ...statuses.filter(status => !seen.answers.has(status)).map(status => `no answer was ${status}`),
        ...worked.filter(call => !seen.calls.has(call)).map(call => `${call} never worked`),
      ];
      // Chance, and a slow machine, may have left something out: it is drawn until it comes
      for (let more = 0; more < MORE && missing().length > 0; more++)
        await play([...first, ...fc.sample(some, 1)[0]!], seen);
      assert.equal(missing(), []);
    });

  /** All turns, of two new tenants; notes what was answered, and what worked. */
  const play = async (turns: readonly Turn[], { answers, calls }: Seen): Promise<void> => {
    now += 120_000;
    run++;
    const tenants = [await tenantOn(together, apart[0]!, 0), await tenantOn(together, apart[1]!, 1)] as const;
    for (const [nth, { by, operation, meanwhile, astray, wait }] of turns.entries()) {
      // Each in a ms of its own: what came in the same one is listed by ids, which are random
      now += 1 + wait;
      const asked = [requestOf(operation, tenants[by]!, tenants[1 - by]!, astray, `t${run}-${nth}`)];
      if (meanwhile)
        asked.push(requestOf(meanwhile, tenants[1 - by]!, tenants[by]!, false, `t${run}-${nth}m`));
      const seen = await Promise.all(
        asked.map((request, i) => ask(together, request, tenants[i === 0 ? by : 1 - by]!.random.together)),
      );
      for (const [i, request] of asked.entries()) {
        const tenant = tenants[i === 0 ? by : 1 - by]!;
        const alone = await ask(tenant.alone, request, tenant.random.alone);
        const call = `${request.method} ${request.path} ${request.body ?? ''}`;
        const both = `${call}\n${JSON.stringify(seen[i])}\nalone:\n${JSON.stringify(alone)}`;
        assert.equal(inOrder(seen[i]!), inOrder(alone), both);
        remember(tenant.memory, request, seen[i]!);
        if (alone.status < 300)
          calls.add(`${request.method} ${request.path.replace(/[?].*|drawn#\d+/g, '')}`);
        answers.add(alone.status);
      }
    }
  };

  /** Whoever deploys a model that no worker has loaded yet may be told that it takes a while. */
  const warm = ({ call }: Running, slug: string) =>
    until(async () => {
      const body = { family: 'presage', slug };
      const { data } = (await call('POST', '/v1/models/deploy-foundation', { body })).json;
      await call('POST', `/v1/deployments/${data.promotion_id}/unpromote`, { body: {} });
      return data.ready;
    }, `${slug} being loaded`);

  /** The same installation, with the same ids and the same token, on both platforms. */
  const tenantOn = async (first: Running, second: Running, nth: number): Promise<Tenant> => {
    const positions = new Map<Running, number>();
    const handle: Handle = async (decider, command, context, options) => {
      const outcomes = [];
      for (const each of [first, second]) {
        const outcome = await each.platform.handle(decider, command, context, options);
        positions.set(each, outcome.position!);
        outcomes.push(outcome);
      }
      return outcomes[0]!;
    };
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: now,
    };
    const register: Register = async (user, context) => {
      const [position] = [
        await first.platform.areas.identity.register(user, context),
        await second.platform.areas.identity.register(user, context),
      ];
      return position;
    };
    const email = `tenant${nth}.${run}@example.org`;
    const is = await install(
      { handle, register },
      { organization: 'Org', workspace: 'W', email, name: 'T', domainTerms: [], cell: 'local' },
      context,
    );
    for (const each of [first, second]) {
      await each.platform.visible(positions.get(each)!);
      await tell(each.platform, is.uid, is.workspaceId, now);
    }
    return {
      ...{ is, email, hook: hook.url },
      memory: { etag: '"none"', cursor: '', etags: new Map(), drawn: { ...NONE_DRAWN } },
      alone: second,
      random: { alone: new Map(), together: new Map() },
    };
  };
});
