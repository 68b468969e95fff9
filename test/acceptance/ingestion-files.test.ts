import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { commit, finished, imported, parsed, preview, upload } from './imports.js';
import { item } from './inbox.js';
import { event, eventsOf, keysOf, names, pointsOf } from './sources.js';
import { xlsx } from './workbook.js';
import { expected, openWorld, refused, type World } from './world.js';

// Files: uploaded, looked at, committed (open-parts 6.1, 6.2, 21, 32.7). Readings: `status` says where an
// import is; without `columns` every other column of a wide file is a signal of its name.

const at = (text: string): number => Date.parse(text);
const wide = { time: 'time', layout: 'wide' };

suite('acceptance: files', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld({ RATE_UPLOAD: '100000' });
  });
  test.after(() => world.close());

  test('a wide file is previewed, and then committed: a signal for each column', async () => {
    const lines = Array.from(
      { length: 60 },
      (_, i) => `2026-03-01T00:${String(i).padStart(2, '0')}:00Z,${i},${i / 4}`,
    );
    const content = ['time,visits,orders', ...lines].join('\n');
    const sent = await upload(world.api, content, { mapping: wide });
    const { import_id } = expected(sent, 202).data;
    assert.is(sent.body.status, 'queued');
    const before = await parsed(world.api, content, { mapping: wide });
    assert.is(before.status, 'parsed');
    assert.equal(await keysOf(world.api, 'visits'), [], 'nothing is written before the commit');
    const shown = expected(await preview(world.api, before.import_id)).data;
    assert.equal(
      shown.columns.map(({ name }: Json) => name),
      ['time', 'visits', 'orders'],
    );
    assert.equal([shown.rows.length, shown.problems], [50, []]);
    assert.match(JSON.stringify(shown.rows[49]), '00:49:00');
    const started = await commit(world.api, before.import_id);
    expected(started, 202);
    const done = await finished(world.api, before.import_id);
    assert.equal([done.status, done.accepted, done.duplicates, done.rejected], ['committed', 120, 0, 0]);
    const points = (await pointsOf(world.api, 'orders'))!;
    assert.equal([points.length, points[59]], [60, [at('2026-03-01T00:59:00Z'), 14.75]]);
    refused(await commit(world.api, before.import_id), 409);
    const told = await item(world.api, 'ingestion.import_finished');
    assert.is(told.data.import_id, before.import_id);
    expected(await commit(world.api, import_id), 202);
    const again = await finished(world.api, import_id);
    assert.equal([again.accepted, again.duplicates], [0, 120], 'the same file again');
  });

  test('columns go to the keys that are named, and others are left out', async () => {
    const content = 'when;a;b;c\n2026-03-01T00:00:00Z;1;2;3\n';
    const mapping = { time: 'when', layout: 'wide', columns: { a: 'named.a', c: 'named.c' } };
    const done = await imported(world.api, content, mapping);
    assert.equal([done.status, done.accepted], ['committed', 2]);
    assert.equal(await keysOf(world.api, 'named'), ['named.a', 'named.c']);
    assert.equal(await pointsOf(world.api, 'named.c'), [[at('2026-03-01T00:00:00Z'), 3]]);
    assert.is(await pointsOf(world.api, 'b'), null);
  });

  test('a long file has a key and a value in each row, and an entity where there is one', async () => {
    const content = `\u{FEFF}t,what,who,much\r
2026-03-01T00:00:00Z,long.load,berlin,1\r
2026-03-01T00:00:00Z,"long.temp, outside",,-2.5\r
1772323200,long.load,"a ""b""",3e2\r
1772323260000,long.load,berlin,4\r
`;
    const mapping = { time: 't', layout: 'long', key: 'what', value: 'much', entity: 'who' };
    const done = await imported(world.api, content, mapping);
    assert.equal([done.status, done.accepted], ['committed', 4]);
    assert.equal(await keysOf(world.api, 'long'), [
      'long.load__a "b"',
      'long.load__berlin',
      'long.temp, outside',
    ]);
    assert.equal(await pointsOf(world.api, 'long.load__berlin'), [
      [at('2026-03-01T00:00:00Z'), 1],
      [at('2026-03-01T00:01:00Z'), 4],
    ]);
    assert.equal(await pointsOf(world.api, 'long.load__a "b"'), [[at('2026-03-01T00:00:00Z'), 300]]);
  });

  test('a column of texts becomes events', async () => {
    const content =
      'day,note,visits\n2026-03-01,"Fair, with\nfireworks",10\n2026-03-02,,20\n2026-03-03,Strike,30\n';
    const mapping = {
      time: 'day',
      layout: 'wide',
      event_text: 'note',
      stream: 'notes',
      columns: { visits: 'fair.visits' },
    };
    const done = await imported(world.api, content, mapping);
    assert.equal(await names(world.api, 'notes'), ['Fair, with\nfireworks', 'Strike']);
    const [row] = await eventsOf(world.api, 'notes');
    const found = await event(world.api, row.event_id);
    assert.equal([found.text, found.origin], ['Strike', 'ingestion']);
    assert.is(found.occurred_at, at('2026-03-03T00:00:00Z'));
    assert.is((await pointsOf(world.api, 'fair.visits'))!.length, 3);
    assert.ok(['committed', 'partial'].includes(done.status));
  });

  test('lines of JSON', async () => {
    const content = `{"time":"2026-03-01T00:00:00Z","x":1,"on":true}
{"x":"2.5","time":1772323260,"note":"text"}

{"time":1772323320000,"x":null,"y":7}
`;
    const done = await imported(
      world.api,
      content,
      { ...wide, columns: { x: 'nd.x', on: 'nd.on', y: 'nd.y' } },
      { format: 'ndjson', name: 'data.ndjson' },
    );
    assert.is(done.accepted, 4);
    const minute = (i: number) => at('2026-03-01T00:00:00Z') + i * 60_000;
    assert.equal(await pointsOf(world.api, 'nd.x'), [
      [minute(0), 1],
      [minute(1), 2.5],
    ]);
    assert.equal(await pointsOf(world.api, 'nd.y'), [[minute(2), 7]]);
    assert.equal(await pointsOf(world.api, 'nd.on'), [[minute(0), 1]]);
  });

  test('a workbook: its first sheet, dates by their style', async () => {
    const content = xlsx({
      'Numbers & more': [
        ['time', 'x', 'Größe <m>'],
        [new Date('2026-03-01T00:00:00Z'), 1.5, '2'],
        [new Date('2026-03-01T12:30:00Z'), -3, null],
        ['2026-03-02T00:00:00Z', 4, 0.1],
      ],
      Second: [
        ['time', 'stolen'],
        [new Date('2026-03-01T00:00:00Z'), 1],
      ],
    });
    const mapping = { ...wide, columns: { x: 'book.x', 'Größe <m>': 'book.size' } };
    const done = await imported(world.api, content, mapping, { format: 'xlsx', name: 'book.xlsx' });
    assert.equal([done.status, done.accepted], ['committed', 5]);
    assert.equal(await pointsOf(world.api, 'book.x'), [
      [at('2026-03-01T00:00:00Z'), 1.5],
      [at('2026-03-01T12:30:00Z'), -3],
      [at('2026-03-02T00:00:00Z'), 4],
    ]);
    assert.equal(await pointsOf(world.api, 'book.size'), [
      [at('2026-03-01T00:00:00Z'), 2],
      [at('2026-03-02T00:00:00Z'), 0.1],
    ]);
    assert.is(await pointsOf(world.api, 'stolen'), null);
  });

  test('times by a format and in a zone, through both changes of the clocks', async () => {
    const times: [string, string][] = [
      ['28.03.2026 02:30', '2026-03-28T01:30:00Z'],
      ['29.03.2026 01:59', '2026-03-29T00:59:00Z'],
      ['29.03.2026 02:30', '2026-03-29T01:00:00Z'],
      ['29.03.2026 03:15', '2026-03-29T01:15:00Z'],
      ['25.10.2026 01:30', '2026-10-24T23:30:00Z'],
      ['25.10.2026 02:30', '2026-10-25T00:30:00Z'],
      ['25.10.2026 03:30', '2026-10-25T02:30:00Z'],
    ];
    const content = ['time,zoned', ...times.map(([text], i) => `${text},${i}`)].join('\n');
    const mapping = { ...wide, time_format: '%d.%m.%Y %H:%M', timezone: 'Europe/Berlin' };
    assert.is((await imported(world.api, content, mapping)).accepted, times.length);
    assert.equal(
      await pointsOf(world.api, 'zoned'),
      times.map(([, utc], i) => [at(utc), i]),
    );
    const plain = 'time,utc\n2026-03-29 02:30,1\n2026-03-29T02:30:00+02:00,2\n';
    await imported(world.api, plain, wide);
    assert.equal(await pointsOf(world.api, 'utc'), [
      [at('2026-03-29T00:30:00Z'), 2],
      [at('2026-03-29T02:30:00Z'), 1],
    ]);
    const iso = 'time,iso\n2026-07-01T00:00:00,1\n2026-07-01T00:00:00Z,2\n';
    await imported(world.api, iso, { ...wide, timezone: 'America/New_York' });
    assert.equal(await pointsOf(world.api, 'iso'), [
      [at('2026-07-01T00:00:00Z'), 2],
      [at('2026-07-01T04:00:00Z'), 1],
    ]);
  });
});
