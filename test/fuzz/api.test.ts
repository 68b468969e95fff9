import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Description } from '../../api/edge/openapi.js';
import { clientOf } from '../api/client.js';
import { fuzz } from '../api/fuzz.js';
import { newAccount } from '../cli/operate.js';
import { accountOf, dataFolder, get, serve, type Account, type Listening } from '../cli/presage.js';
import { inspect } from '../crash/inspect.js';
import { PATIENCE_MS } from '../patience.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { badJson } from './bad-json.js';
import { exchange, shown, type RawAnswer } from './raw.js';
import { broken, oddRequest, type Operation } from './torments.js';

/**
 * Some thousand requests by default, half of them from the description; `FUZZ_RUNS` for more, `FUZZ_SEED` to
 * see them again.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3_000);
const AT_ONCE = 8;
const BATCH = 100;
const takingBodies = [
  ['POST', '/v1/signal/push'],
  ['POST', '/v1/event/record'],
  ['POST', '/v1/event/record-batch'],
  ['PATCH', '/v1/event/evt_none'],
] as const;
/** What a refused request may leave behind, in the mean. */
const MAX_BYTES_LEFT = 500;
const MANY = '1000000000';
const NO_LIMITS = {
  RATE_DEFAULT: MANY,
  RATE_PUSH: MANY,
  RATE_PUSH_POINTS: MANY,
  RATE_PUSH_BYTES: MANY,
  RATE_AUTH: MANY,
};

suite('the whole platform under random requests', test => {
  const seed = seedFrom('FUZZ_SEED');
  const DATA_DIR = dataFolder();
  let running: Listening;
  let account: Account;
  let port: number;
  let description: Description;
  let operations: Operation[];
  /** Requests that were refused. */
  const refused: Buffer[] = [];

  test.before(async () => {
    const NODE_OPTIONS = `--import=${new URL('./heap.js', import.meta.url).href}`;
    running = await serve({ DATA_DIR, NODE_OPTIONS, LOG_LEVEL: 'error', ...NO_LIMITS });
    account = await accountOf(running);
    port = Number(new URL(running.base).port);
    description = (await (await get(running.base, account, '/openapi/v1.json')).json()) as Description;
    operations = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method): Operation => [method.toUpperCase(), path]),
    );
  });
  test.after(() => {
    running.child.kill('SIGKILL');
  });
  const alive = () => {
    assert.is(running.child.exitCode, null);
    assert.is(running.said.stderr, '');
  };

  test('calls made from its description: as described, never a 5xx', async () => {
    // Random calls also throw out those who make them: each batch comes from somebody new
    for (let n = 0; n < RUNS / 2; n += BATCH) {
      const api = clientOf(running.base, description, await newAccount(DATA_DIR));
      fc.configureGlobal({ seed: seed + n });
      await fuzz(api, BATCH);
      api.close();
    }
    alive();
  });

  test('bodies that no reader likes: as described, never a 5xx', async () => {
    const api = clientOf(running.base, description, account);
    const random = randomOf(seed);
    await sideBySide(RUNS * 0.1, async () => {
      const [method, path] = random.pick(takingBodies);
      const body = badJson(random);
      const { status } = await inTime(api.send({ method, path, body }), body);
      assert.ok(status < 500, `${status}: ${method} ${path} ${shown(body)}`);
    });
    api.close();
    alive();
  });

  test('odd requests, byte by byte: each is answered, never with 5xx, refusals in the envelope', async () => {
    const random = randomOf(seed + 1);
    await sideBySide(RUNS * 0.3, async () => {
      const request = oddRequest(random, account, operations);
      const answers = await exchange(port, request, 'open');
      assert.is(answers.length, 1, `${answers.length} answers to ${shown(request)}`);
      sound(answers[0]!, request);
      if (answers[0]!.status >= 400 && request.length < 20_000) refused.push(request);
    });
    alive();
  });

  test('what is not HTTP, or breaks off, is refused or ended, and hurts nobody', async () => {
    const random = randomOf(seed + 2);
    await sideBySide(RUNS * 0.1, async () => {
      const request = broken(random, account, operations);
      for (const answer of await exchange(port, request, 'ended')) sound(answer, request);
    });
    assert.is((await fetch(`${running.base}/health`)).status, 200);
    alive();
  });

  test('refused requests leave nothing in memory', async () => {
    assert.ok(refused.length > RUNS / 20, `${refused.length} refused requests`);
    const random = randomOf(seed + 3);
    const again = (count: number) =>
      sideBySide(count, async () => {
        await exchange(port, random.pick(refused), 'open');
      });
    await again(1_000);
    const before = await heap();
    await again(2_000);
    const left = ((await heap()) - before) / 2_000;
    console.log(`${Math.round(left)} bytes left by each of 2000 refused requests`);
    assert.ok(left < MAX_BYTES_LEFT, `${left} bytes a request`);
  });

  test('afterwards all is as the facts say, and it ends well', async () => {
    // Few random bodies are a push
    const last = clientOf(running.base, description, await newAccount(DATA_DIR));
    assert.is((await last.post('/v1/signal/push', { key: 'k', value: 1 })).status, 200);
    last.close();
    const { code, stderr } = await running.stop();
    assert.is(stderr, '');
    assert.is(code, 0);
    const { faults } = await inspect(DATA_DIR);
    assert.equal(
      faults.filter(fault => !fault.endsWith('has no score') && !fault.endsWith('never came due')),
      [],
    );
  });

  async function heap(): Promise<number> {
    const already = [...running.said.stdout.matchAll(/heap=(\d+)\n/g)].length;
    running.child.kill('SIGUSR2');
    return Number(await until(async () => [...running.said.stdout.matchAll(/heap=(\d+)\n/g)][already]?.[1]));
  }
});

/** `count` times, a few of them at once. */
async function sideBySide(count: number, work: () => Promise<void>): Promise<void> {
  let left = Math.ceil(count);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await work();
    }),
  );
}

async function inTime<T>(asked: Promise<T>, body: Buffer): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${shown(body)}`)), PATIENCE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** Not our fault, and said in the way all refusals are. */
function sound({ status, headers, body }: RawAnswer, request: Buffer): void {
  assert.ok(status < 500, `${status} ${body} to ${shown(request)}`);
  if (status < 400 || body === '') return;
  const { error } = JSON.parse(body) as {
    error?: { code: string; message: string; details: { request_id: string } };
  };
  assert.ok(
    error?.code && error.message && error.details.request_id,
    `${headers} ${body} to ${shown(request)}`,
  );
}
