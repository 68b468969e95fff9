import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { modelOf, over, queued, segmentOf, training } from '../api/trainings-world.js';
import { operate } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, serve, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { send, until, type Running } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';

/**
 * Real kills of the whole process, and of the process that trains, in the middle. `KILL_ROUNDS=50` for a
 * long run; `TRAININGS_SEED` to see one again.
 */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2);
const AT_ONCE = 2;

suite('trainings whose processes are killed', test => {
  test.after(endAll);

  test('none is lost, and none is charged twice', async () => {
    const random = randomOf(seedFrom('TRAININGS_SEED'));
    const env = {
      ...{ DATA_DIR: dataFolder(), LOG_LEVEL: 'warn', RATE_DEFAULT: '1000000', DEFAULT_PLAN: 'team' },
      TRAINING_PROCESSES: '2',
    };
    let running: Listening = await serve(env);
    const who = await accountOf(running);
    const login = { token: who.token, workspaceId: who.workspace };
    const calls: Pick<Running, 'call'> = {
      call: (method, path, sent) => send(running.base, method, path, login, sent),
    };
    const segment_id = await segmentOf(calls, 'orders', 24 * 14);
    const model = await modelOf(calls, 'theta', { period: 24 });
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      while (ids.length < (round + 1) * AT_ONCE)
        ids.push(await queued(calls, { segment_id, model, seed: 1 }));
      await until(async () => isAtWork(await newest(calls, ids)), 'one that is done');
      await pause(random.below(1_000));
      if (random.chance(0.4)) {
        for (const pid of trainersOf(running.child.pid!)) tryToKill(pid);
        continue;
      }
      const { stderr } = await running.stop('SIGKILL');
      assert.not.match(stderr, /"level":"(error|fatal)"/);
      running = await serve(env);
    }
    const ended = await Promise.all(ids.map(id => over(calls, id)));
    for (const each of ended)
      assert.ok(
        each.status === 'completed' || each.error.code === 'worker_lost',
        `${each.status}: ${JSON.stringify(each.error)}`,
      );
    const done = ended.filter(({ status }) => status === 'completed');
    assert.ok(done.length > 0);
    for (const { report } of done) assert.equal(report, done[0]!.report);
    const held = async (): Promise<string> => (await get(calls, '/v1/billing/balance')).held;
    await until(async () => (await held()) === '0.000', 'nothing is held');
    const { entries } = await get(calls, '/v1/billing/ledger?per_page=100');
    for (const { training_id, status } of ended) {
      const kinds = entries
        .filter(({ reference }: Json) => reference?.id === training_id)
        .map(({ kind }: Json) => kind);
      const expected = status === 'completed' ? ['charge', 'hold', 'release'] : ['hold', 'release'];
      assert.equal(kinds.toSorted(), expected, training_id);
    }
    console.log(JSON.stringify({ rounds: ROUNDS, completed: done.length, of: ids.length }));
    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
    assert.is((await running.stop()).code, 0);
  });
});

const get = async ({ call }: Pick<Running, 'call'>, path: string): Promise<Json> =>
  (await call('GET', path)).json.data;

/** One that is at work, or else the one that was queued last. */
async function newest(calls: Pick<Running, 'call'>, ids: readonly string[]): Promise<Json> {
  const { trainings } = await get(calls, '/v1/training?per_page=100');
  return trainings.find(isAtWork) ?? training(calls, ids.at(-1)!);
}
const isAtWork = ({ status }: Json): boolean => ['preparing', 'running', 'evaluating'].includes(status);

/** The processes that train for another one. */
const trainersOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      const [stat, command] = [read(`/proc/${pid}/stat`), read(`/proc/${pid}/cmdline`)];
      return stat.split(') ')[1]?.split(' ')[1] === String(parent) && command.includes('trainings/worker');
    });

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    /* it has just ended by itself */
  }
}
