import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { commit, finished, imported, importOf, parsed, preview, upload } from './imports.js';
import { pointsOf } from './sources.js';
import { expected, openWorld, places, push, refused, type World } from './world.js';

// Imports of files: what is known already, bad rows and bad files, another mapping, restarts (open-parts 6.2,
// 32.7).

const at = (text: string): number => Date.parse(text);
const wide = { time: 'time', layout: 'wide' };

suite('acceptance: what becomes of imports', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld({ RATE_UPLOAD: '100000' });
  });
  test.after(() => world.close());

  test('what is known already is revised, or skipped where that is asked for', async () => {
    const from = at('2026-03-01T00:00:00Z');
    for (const [on_duplicate, key, kept] of [
      ['revise', 'revised', 9],
      ['skip', 'skipped', 5],
    ] as const) {
      await push(world.api, key, [5, 6], { from, step: 60_000 });
      const content = `time,${key}\n2026-03-01T00:00:00Z,9\n2026-03-01T00:01:00Z,6\n2026-03-01T00:02:00Z,7\n`;
      const done = await imported(world.api, content, { ...wide, on_duplicate });
      const accepted = on_duplicate === 'revise' ? 2 : 1;
      assert.equal([done.accepted, done.duplicates], [accepted, 3 - accepted], on_duplicate);
      assert.equal(await pointsOf(world.api, key), [
        [from, kept],
        [from + 60_000, 6],
        [from + 120_000, 7],
      ]);
    }
    await imported(world.api, 'time,revised\n2026-03-01T00:02:00Z,8\n', wide);
    assert.equal((await pointsOf(world.api, 'revised'))!.at(-1)![1], 8, 'revised where nothing is said');
  });

  test('bad rows are named, the others are taken, and the import is partial', async () => {
    const content =
      'time,p,q\n2026-03-01T00:00:00Z,1,2\nyesterday,3,4\n'
      + '2026-03-01T00:01:00Z,many,5\n2026-03-01T00:02:00Z,,6\n';
    const before = await parsed(world.api, content, { mapping: wide });
    const shown = expected(await preview(world.api, before.import_id)).data;
    const faults = shown.problems.map(({ row, column }: Json) => [row, column]);
    const [[first], [second]] = faults;
    assert.equal(
      faults.map(([, column]: [number, string]) => column),
      ['time', 'p'],
    );
    assert.is(second - first, 1, 'rows are numbered');
    for (const { message } of shown.problems) assert.match(message, /./);
    expected(await commit(world.api, before.import_id), 202);
    const done = await finished(world.api, before.import_id);
    assert.is(done.status, 'partial');
    assert.is((await pointsOf(world.api, 'p'))!.length, 1);
    assert.is((await pointsOf(world.api, 'q'))!.length, 3);
    assert.equal(done.problems, shown.problems);
  });

  test('what cannot be read at all fails, or is refused, by name', async () => {
    const sent = (mapping: unknown, format = 'csv', content = 'time,x\n2026-03-01,1\n') =>
      upload(world.api, content, { mapping, format });
    assert.match(places(await sent(wide, 'docx'))[0]!, /format/);
    assert.match(places(await sent('{'))[0]!, /mapping/);
    for (const wrong of [
      { layout: 'wide' },
      { time: 'time' },
      { time: 'time', layout: 'round' },
      { ...wide, timezone: 'Mars/Phobos' },
      { ...wide, time_format: '%Q' },
      { ...wide, on_duplicate: 'pray' },
      { time: 'time', layout: 'long', key: 'x' },
    ])
      assert.match(places(await sent(wrong))[0]!, /mapping/, JSON.stringify(wrong));
    const missing = await parsed(world.api, 'time,x\n2026-03-01,1\n', { mapping: { ...wide, time: 'when' } });
    assert.match(JSON.stringify([missing.problems, missing.error]), /when/);
    for (const [format, content] of [
      ['xlsx', 'no archive'],
      ['ndjson', '[1,2'],
    ] as const) {
      const found = await parsed(world.api, content, { mapping: wide, format });
      assert.ok(found.status === 'failed' || found.problems.length > 0, format);
    }
    refused(await world.api.get<Json>('/v1/ingestion/files/imp_nobodys'), 404);
    refused(await commit(world.api, 'imp_nobodys'), 404);
    const plain = await world.api.post<Json>('/v1/ingestion/files', { mapping: wide });
    assert.ok([415, 422].includes(plain.status), plain.text);
  });

  test('another mapping may come with the preview and the commit', async () => {
    const content = 'a,b\n2026-03-01T00:00:00Z,1\n';
    const { import_id } = await parsed(world.api, content, { mapping: { time: 'b', layout: 'wide' } });
    const mapping = { time: 'a', layout: 'wide', columns: { b: 'late.b' } };
    assert.equal(expected(await preview(world.api, import_id, { mapping })).data.problems, []);
    expected(await commit(world.api, import_id, { mapping }), 202);
    assert.is((await finished(world.api, import_id)).accepted, 1);
    assert.is((await pointsOf(world.api, 'late.b'))!.length, 1);
  });

  test('an import waits for its commit across a restart, and one under way goes on', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${1_770_000_000 + i * 60},${i}`);
    const content = ['time,kept', ...lines].join('\n');
    const { import_id } = await parsed(world.api, content, { mapping: wide });
    await world.restart();
    assert.is((await importOf(world.api, import_id)).status, 'parsed');
    expected(await commit(world.api, import_id), 202);
    await world.restart();
    const done = await finished(world.api, import_id);
    assert.equal([done.status, done.accepted + done.duplicates], ['committed', 20_000]);
    const path = '/v1/signal?type=signal&search=kept';
    const [row] = expected(await world.api.get<Json>(path)).data.signals;
    assert.equal([row.count, row.last_value, row.origin], [20_000, 19_999, 'ingestion']);
  });
});
