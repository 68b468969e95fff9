import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { operate } from '../cli/operate.js';
import {
  accountOf,
  dataFolder,
  serve,
  start,
  type Account,
  type Env,
  type Listening,
  type Started,
} from '../cli/presage.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { eventFacts, signalFacts } from './audit.js';
import { CONTESTED, connectionTo, eventActs, HOT, ownKey, work, type Connection } from './clients.js';
import { inspect } from './inspect.js';
import { Contested, Ledger, stateOf, type State } from './ledger.js';
import { CONTESTED_SIGNAL, HOT_SIGNAL, inLedger, ownSignal, pointsOf, signalActs } from './signal-clients.js';

/**
 * Real kills of the whole process under load. `KILL_ROUNDS=200` for a long run; `KILL_SEED` to see one again.
 */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 12);
/** A folder is used for so many kills, so that looking at all of it stays short. */
const IN_ONE_FOLDER = 20;
const CLIENTS = 16;
const NO_LIMITS = {
  RATE_DEFAULT: '1000000',
  RATE_PUSH: '1000000',
  RATE_PUSH_POINTS: '100000000',
  RATE_PUSH_BYTES: '1000000000',
  LOG_LEVEL: 'warn',
};

suite('the process killed under load', test => {
  const random = randomOf(seedFrom('KILL_SEED'));
  const totals = {
    rounds: 0,
    startsKilled: 0,
    acknowledged: 0,
    unanswered: 0,
    facts: {} as Record<string, number>,
  };

  let current: Started | null = null;
  // Whatever failed: nothing is left running
  test.after.each(() => {
    current?.child.kill('SIGKILL');
  });

  for (let from = 0; from < ROUNDS; from += IN_ONE_FOLDER) {
    const rounds = Math.min(IN_ONE_FOLDER, ROUNDS - from);
    const kills = `kills ${from + 1} to ${from + rounds} of ${ROUNDS}`;
    test(`${kills}: nothing lost, nothing doubled, all as a replay makes it`, async () => {
      const env = { DATA_DIR: dataFolder(), ...NO_LIMITS };
      const known: Known = {
        ledger: new Ledger(),
        contested: new Contested(),
        contestedPoints: new Contested(),
      };
      let account: Account | null = null;
      let tags = 0;
      for (let round = 0; round < rounds; round++) {
        const running = await serve(env);
        current = running;
        account ??= await accountOf(running);
        const { workspace } = account;
        await holds(running, account, known);
        await asReplayed(env.DATA_DIR);
        const shared = ['always', ...[0, 1].map(n => `shared ${from + round} ${n}`)];
        const clients = Array.from({ length: CLIENTS }, (_, number) =>
          work(
            {
              number,
              workspace,
              ...known,
              shared,
              connection: connectionTo(running.base, account!),
              random: randomOf(random.below(2 ** 32)),
              tag: () => String(tags++),
              count: what => {
                totals[what]++;
              },
            },
            [...eventActs, ...signalActs],
          ),
        );
        await Promise.race([pause(20 + random.below(500)), Promise.all(clients)]);
        assert.is(running.child.exitCode, null, 'it runs until it is killed');
        quiet(await running.stop('SIGKILL'));
        await Promise.all(clients);
        known.contested.died();
        known.contestedPoints.died();
        totals.rounds++;
        if (random.chance(0.25)) await killWhileStarting(env, random.below(700));
      }
      await atRest(env, account!, known);
      const { counts, faults } = await inspect(env.DATA_DIR);
      assert.equal(faults, []);
      for (const [type, count] of Object.entries(counts))
        totals.facts[type] = (totals.facts[type] ?? 0) + count;
    });
  }

  test('and all that could go wrong had its chance', () => {
    console.log(JSON.stringify(totals));
    assert.is(totals.rounds, ROUNDS);
    assert.ok(totals.acknowledged > 10 * ROUNDS, 'there was load');
    assert.ok(totals.unanswered > ROUNDS, 'the kills came in the midst of it');
    for (const type of [...eventFacts, ...signalFacts]) assert.ok(totals.facts[type]! > 0, type);
  });

  async function killWhileStarting(env: Env, ms: number): Promise<void> {
    const starting = start(['serve'], env);
    await pause(ms);
    quiet(await starting.stop('SIGKILL'));
    totals.startsKilled++;
  }
});

/** Nothing it says of itself is an error. */
const quiet = ({ stderr }: { stderr: string }): void => assert.not.match(stderr, /"level":"(error|fatal)"/);

/** What the clients of a folder know. */
type Known = { readonly ledger: Ledger; readonly contested: Contested; readonly contestedPoints: Contested };

/**
 * Asked the moment it listens: every stream holds what it must, each event once; and every signal, each point
 * once.
 */
async function holds(
  { base }: Listening,
  account: Account,
  { ledger, contested, contestedPoints }: Known,
): Promise<void> {
  const connection = connectionTo(base, account);
  const list = await connection.call('GET', '/v1/event/streams?points=none');
  assert.is(list.status, 200, list.text);
  const counts = new Map<string, number>(
    list.json.data.streams.map((s: { key: string; count: number }) => [s.key, s.count]),
  );
  for (const key of [HOT, CONTESTED, ...Array.from({ length: CLIENTS }, (_, number) => ownKey(number))]) {
    const found = await eventsOf(connection, key);
    assert.is(found.size, counts.get(key) ?? 0, `events of ${key} against their count`);
    assert.equal(key === CONTESTED ? contested.wrong(new Set(found.keys())) : ledger.settle(key, found), []);
  }
  for (const key of [
    HOT_SIGNAL,
    CONTESTED_SIGNAL,
    ...Array.from({ length: CLIENTS }, (_, number) => ownSignal(number)),
  ]) {
    const found = await pointsOf(connection, key);
    assert.equal(
      key === CONTESTED_SIGNAL
        ? contestedPoints.wrong(new Set(found.keys()))
        : ledger.settle(inLedger(key), found),
      [],
    );
  }
  connection.close();
}

async function eventsOf({ call }: Connection, key: string): Promise<Map<string, State>> {
  const found = new Map<string, State>();
  for (let more = ''; ; ) {
    const { status, text, json } = await call(
      'GET',
      `/v1/event/streams/${encodeURIComponent(key)}/events?limit=500${more}`,
    );
    assert.is(status, 200, text);
    for (const { event_id, name, value } of json.data.events) {
      assert.not(found.has(event_id), `${event_id} is in ${key} twice`);
      found.set(event_id, stateOf(name, value));
    }
    if (!json.data.has_more) return found;
    more = `&cursor=${json.data.next_cursor}`;
  }
}

/** The running platform builds its read models anew and finds no difference. */
async function asReplayed(dataDir: string): Promise<void> {
  let compared = 0;
  for (const output of await operate(dataDir, 'replay', { projection: null, verify: true })) {
    assert.ok(
      output.kind === 'progress' || output.kind === 'result',
      `a difference to a replay: ${JSON.stringify(output)}`,
    );
    if (output.kind === 'result') compared += (output.result as { documents: number }).documents;
  }
  assert.ok(compared > 0);
}

/** Waits until every event has its score, and its time has come. */
async function finished({ call }: Connection): Promise<void> {
  await until(async () => {
    const [ready, upcoming] = [await call('GET', '/ready'), await call('GET', '/v1/event/upcoming')];
    return ready.json.scoring_backlog === 0 && upcoming.json.data.total === 0;
  }, 'the score and the time of every event');
}

/** Started once more it finishes what is left to do, and ends well. */
async function atRest(env: Env & { DATA_DIR: string }, account: Account, known: Known): Promise<void> {
  const running = await serve(env);
  const connection = connectionTo(running.base, account);
  await holds(running, account, known);
  await finished(connection);
  // Under load few events have their score when they are submitted again; this one has
  const event = { key: 'submitted again', text: 'Strike closes the port', occurred_at: 1_770_000_000_000 };
  for (let times = 0; times < 2; times++) {
    assert.is((await connection.call('POST', '/v1/event/record', event)).status, 200);
    await finished(connection);
  }
  await pause(600);
  await holds(running, account, known);
  await asReplayed(env.DATA_DIR);
  connection.close();
  const ended = await running.stop();
  quiet(ended);
  assert.is(ended.code, 0);
}
