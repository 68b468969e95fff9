import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { commit, finished, parsed, upload } from './imports.js';
import { keysOf } from './sources.js';
import { expected, openWorld, refused, type World } from './world.js';

// How large files may be, and what becomes of those that try more (open-parts 6.2, 27).

const mapping = { time: 'time', layout: 'wide' };

suite('acceptance: bounds of files', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld({ RATE_UPLOAD: '100000' });
  });
  test.after(() => world.close());

  test('a file past 100 MB is too large, and nothing of it is kept', async () => {
    const answer = await upload(world.api, Buffer.alloc(101 * 1024 * 1024, 'time,x\n1,2\n'), { mapping });
    const { details } = refused(answer, 413, 'payload_too_large');
    assert.ok(details.limit_bytes >= 100_000_000 && details.limit_bytes <= 105_000_000, details.limit_bytes);
  });

  test('five million cells are the most', async () => {
    const wide = (rows: number, columns: number) => {
      const head = `time,${Array.from({ length: columns - 1 }, (_, i) => `w.c${i}`).join(',')}`;
      const line = (i: number) => `${1_700_000_000 + i * 60}${',1'.repeat(columns - 1)}`;
      return [head, ...Array.from({ length: rows }, (_, i) => line(i))].join('\n');
    };
    let state = await parsed(world.api, wide(51_000, 100), { mapping });
    if (state.status === 'parsed') {
      expected(await commit(world.api, state.import_id), 202);
      state = await finished(world.api, state.import_id);
    }
    assert.is(state.status, 'failed');
    assert.match(JSON.stringify([state.error, state.problems]), /5,?000,?000|5 million|cells/i);
    assert.equal(await keysOf(world.api, 'w.'), [], 'nothing of it is written');
  });

  test('files that swell, never end a line or have columns without end are failed, by name', async () => {
    for (const [name, content] of [
      ['one endless line', 'x'.repeat(20_000_000)],
      ['an open quote', `time,x\n2026-01-01,"${'y\n'.repeat(5_000_000)}`],
      ['a million columns', `time${',c'.repeat(1_000_000)}\n`],
      ['nothing', ''],
      ['zeros', Buffer.alloc(1_000_000)],
    ] as const) {
      const found = await parsed(world.api, content, { mapping });
      assert.ok(found.status === 'failed' || found.problems.length > 0, name);
      assert.match(JSON.stringify([found.error, found.problems]), /"message":"./, name);
    }
    expected(await world.api.get<Json>('/v1/signal'));
  });
});
