import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { fileForm, uploadedForm } from '../api/imports-world.js';
import { operate } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, get, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { send, until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';

const KILLS = Number(process.env['KILL_ROUNDS'] ?? 3);
const ROWS = 300_000;
const BAD = 7;
const FILES = '/v1/ingestion/files';

suite('the process killed while it takes in a file', test => {
  test.after(endAll);

  test('it goes on by itself, and all of it is there once', async () => {
    const random = randomOf(seedFrom('IMPORTS_SEED'));
    const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'warn', RATE_DEFAULT: '1000000', DEFAULT_PLAN: 'team' };
    let running: Listening = await serve(env);
    const who = await accountOf(running);
    const login = { token: who.token, workspaceId: who.workspace };
    const lines = Array.from({ length: ROWS }, (_, i) => {
      const time = i % (ROWS / BAD) < 1 ? 'never' : String(1_600_000_000 + i * 60);
      return `${time},${i},${-i},${i % 3_000 === 5 ? `Note ${i}` : ''}`;
    });
    const mapping = {
      ...{ time: 'time', layout: 'wide', event_text: 'note', stream: 'notes' },
      columns: { up: 'up', down: 'down' },
    };
    const form = fileForm(['time,up,down,note', ...lines].join('\n'), { mapping });
    const id = await uploadedForm(running.base, login, form);
    await until(async () => (await read(running, who, id)).status === 'parsed', 'the preview');
    const { status } = await send(running.base, 'POST', `${FILES}/${id}/commit`, login);
    assert.is(status, 202);
    let before = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const from = before;
      const found: Json = await until(async () => {
        const now = await read(running, who, id);
        return (now.read > from || now.finished_at !== null) && now;
      }, 'some rows more');
      before = found.read;
      await pause(random.below(400));
      const { stderr } = await running.stop('SIGKILL');
      assert.not.match(stderr, /"level":"(error|fatal)"/);
      running = await serve(env);
    }
    const ended: Json = await until(async () => {
      const now = await read(running, who, id);
      return now.finished_at !== null && now;
    }, 'its end');
    const notes = lines.filter(line => !line.startsWith('never') && line.includes('Note')).length;
    const taken = 2 * (ROWS - BAD) + notes;
    assert.equal(
      [ended.status, ended.read, ended.rejected, ended.accepted + ended.duplicates],
      ['partial', ROWS, BAD, taken],
    );
    assert.equal(
      ended.problems.map(({ row }: Json) => row),
      Array.from({ length: BAD }, (_, n) => 1 + Math.ceil((n * ROWS) / BAD)),
    );
    console.log(JSON.stringify({ kills: KILLS, duplicates: ended.duplicates, accepted: ended.accepted }));
    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
    const good = Array.from({ length: ROWS }, (_, i) => i).filter(i => !lines[i]!.startsWith('never'));
    for (const [key, sign] of [
      ['up', 1],
      ['down', -1],
    ] as const) {
      const expected = good.map(i => [(1_600_000_000 + i * 60) * 1_000, sign * i]);
      assert.is(JSON.stringify(await pointsOf(running, who, key)), JSON.stringify(expected), key);
    }
    const stream = await (await get(running.base, who, '/v1/event/streams')).json();
    assert.equal(
      (stream as Json).data.streams.map(({ key, count }: Json) => [key, count]),
      [['notes', notes]],
    );
    assert.is((await running.stop()).code, 0);
  });
});

/** All points of a signal, page by page. */
async function pointsOf(running: Listening, who: Account, key: string): Promise<[number, number][]> {
  const all: [number, number][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor && `&cursor=${cursor}`;
    const path: string = `/v1/signal/points?key=${key}&sort_order=asc&limit=10000${from}`;
    const { data }: Json = await (await get(running.base, who, path)).json();
    all.push(...(data.points as [number, number][]));
    cursor = data.next_cursor;
  }
  return all;
}

const read = async ({ base }: Listening, who: Account, id: string): Promise<Json> =>
  ((await (await get(base, who, `${FILES}/${id}`)).json()) as Json).data;
