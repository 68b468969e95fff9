import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Handle } from '../../commands/engine/handle.js';
import { install } from '../../commands/installation.js';
import type { Register } from '../../commands/registration.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { START, turn } from './tenancy-operations.js';
import { ask, remember, requestOf, type Tenant } from './tenancy-requests.js';

// Two tenants with the same streams, texts, times and keys on one platform; each of them also alone on a
// platform of its own, with the very same ids. Whatever the two do: each must get, byte for byte, what it
// gets where the other never was. Then nothing of one can be read, counted, named or changed by the other,
// whatever the way: lists, totals, errors, ETags, idempotency, limits.

const RUNS = Number(process.env['TENANCY_RUNS'] ?? 30);
const limits = { RATE_DEFAULT: '13', RATE_PUSH: '6', RATE_PUSH_POINTS: '9' };

suite('two tenants of one platform', test => {
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  let together: Running;
  let apart: readonly Running[];
  let now = START;
  let run = 0;
  const statuses = new Map<number, number>();
  const signalsWorked = new Set<string>();
  test.before(async () => {
    const start = (nth: number) =>
      startPlatform(folders[nth]!.path, { running: ['api', 'projections'], env: limits, clock: () => now });
    together = await start(0);
    apart = [await start(1), await start(2)];
  });
  test.after(async () => {
    for (const platform of [together, ...apart]) await platform.stop();
    for (const { remove } of folders) remove();
  });

  test('get what they would get alone, whatever both do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 30, maxLength: 60, size: 'max' }), async turns => {
        now += 120_000;
        run++;
        const tenants = [
          await tenantOn(together, apart[0]!, 0),
          await tenantOn(together, apart[1]!, 1),
        ] as const;
        for (const [nth, { by, operation, meanwhile, astray, wait }] of turns.entries()) {
          // Each in a ms of its own: what came in the same one is listed by ids, which are random
          now += 1 + wait;
          const asked = [requestOf(operation, tenants[by]!, tenants[1 - by]!, astray, `t${run}-${nth}`)];
          if (meanwhile)
            asked.push(requestOf(meanwhile, tenants[1 - by]!, tenants[by]!, false, `t${run}-${nth}m`));
          const seen = await Promise.all(
            asked.map((request, i) =>
              ask(together, request, tenants[i === 0 ? by : 1 - by]!.random.together),
            ),
          );
          for (const [i, request] of asked.entries()) {
            const tenant = tenants[i === 0 ? by : 1 - by]!;
            const alone = await ask(tenant.alone, request, tenant.random.alone);
            assert.equal(seen[i], alone, `${request.method} ${request.path} ${request.body ?? ''}`);
            remember(tenant.memory, request, seen[i]!);
            if (alone.status === 200 && request.path.startsWith('/v1/signal'))
              signalsWorked.add(request.path.split('?')[0]!);
            statuses.set(alone.status, (statuses.get(alone.status) ?? 0) + 1);
          }
        }
      }),
      {
        numRuns: RUNS,
        interruptAfterTimeLimit: 90_000,
        markInterruptAsFailure: false,
        includeErrorInReport: true,
      },
    );
    for (const status of [200, 201, 304, 403, 404, 409, 422, 429])
      assert.ok((statuses.get(status) ?? 0) > 0, `no answer was ${status}`);
    for (const path of ['push', 'points', 'overview', 'delete'])
      assert.ok(signalsWorked.has(`/v1/signal/${path}`), `${path} never worked`);
  });

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
    for (const each of [first, second]) await each.platform.visible(positions.get(each)!);
    return {
      is,
      email,
      memory: { etag: '"none"', cursor: '', etags: new Map() },
      alone: second,
      random: { alone: new Map(), together: new Map() },
    };
  };
});
