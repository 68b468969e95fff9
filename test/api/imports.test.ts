import * as assert from 'uvu/assert';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { FILE_KEPT_MS, fileOf } from '../../commands/ingestion/imports.js';
import { FileMissing } from '../../commands/ports/file-store.js';
import { DAY, iso } from '../../domain/time.js';
import type { Json } from '../json.js';
import { send, until } from '../platform.js';
import { suite } from '../suite.js';
import { fileForm, type FileSent } from './imports-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const FILES = '/v1/ingestion/files';
const wide = { time: 'time', layout: 'wide' } as const;

suite('files', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi({
      env: { RATE_UPLOAD: '1000000', RATE_DEFAULT: '1000000', DEFAULT_PLAN: 'team' },
    });
  });
  test.after(() => world.close());

  const shown = (id: string): Promise<Json> => world.read(`${FILES}/${id}`);
  const becomes = (id: string, ...statuses: string[]): Promise<Json> =>
    until(
      async () => {
        const found = await shown(id);
        return statuses.includes(found.status) && found;
      },
      `${id} being ${statuses.join(' or ')}`,
    );
  /** Uploads a file; answers the import as it is when it was looked at. */
  const looked = async (content: string | Uint8Array, sent: FileSent = {}): Promise<Json> => {
    const { api } = world;
    const answer = await send(api.base, 'POST', FILES, api.installed, { body: fileForm(content, sent) });
    assert.is(answer.status, 202, answer.text);
    return becomes(answer.json.data.import_id, 'parsed', 'failed');
  };
  const ask = async (id: string, deed: string, body: object = {}, status = 200): Promise<Json> => {
    const answer = await world.client.post<Json>(`${FILES}/${id}/${deed}`, body);
    assert.is(answer.status, status, answer.text);
    return answer.body;
  };
  const committed = async (content: string | Uint8Array, sent: FileSent = {}, body: object = {}) => {
    const { import_id: id } = await looked(content, sent);
    await ask(id, 'commit', body, 202);
    return becomes(id, 'committed', 'partial', 'failed');
  };
  const points = async (key: string): Promise<Json> => {
    const { api } = world;
    const path = `/v1/signal/points?key=${encodeURIComponent(key)}&sort_order=asc`;
    return (await api.call('GET', path)).json.data.points;
  };

  test('what a file seems to mean is suggested, and taken when nothing else is said', async () => {
    const content = 'Datum;Laden;Umsatz\n01.03.2026;Nord;1.234,5\n02.03.2026;Nord;8\n02.03.2026;Süd;-\n';
    const before = await looked(content);
    assert.equal(before.columns, [
      { name: 'Datum', type: 'time', time_format: 'DD/MM/YYYY', other_time_format: 'MM/DD/YYYY', missing: 0 },
      { name: 'Laden', type: 'text', time_format: null, other_time_format: null, missing: 0 },
      { name: 'Umsatz', type: 'number', time_format: null, other_time_format: null, missing: 1 },
    ]);
    assert.equal(before.previewed, { rows: 3, whole_file: true, points: 2, events: 0, rejected: 0 });
    const { layout, key, value, timezone, on_duplicate } = before.mapping;
    assert.equal([layout, key, value, timezone, on_duplicate], ['long', 'Laden', 'Umsatz', 'UTC', 'revise']);
    const done = await committed(content);
    assert.equal([done.status, done.accepted, done.read], ['committed', 2, 3]);
    assert.equal(await points('Nord'), [
      [Date.UTC(2026, 2, 1), 1234.5],
      [Date.UTC(2026, 2, 2), 8],
    ]);
  });

  test('who uploaded, committed and cancelled stands in the audit, and who committed is told', async () => {
    const done = await committed('time,audited\n2026-03-01,1\nno,2\n', { mapping: wide });
    assert.is(done.status, 'partial');
    const other = await looked('time,x\n2026-03-01,1\n');
    assert.equal(await ask(other.import_id, 'cancel'), { status: 'cancelled', import_id: other.import_id });
    const audit = `/v1/workspace/${world.api.installed.workspaceId}/audit?per_page=100`;
    const deeds = async (id: string): Promise<string[]> =>
      (await world.read(audit)).entries
        .filter(({ resource }: Json) => JSON.stringify(resource).includes(id))
        .map(({ action }: Json) => action);
    assert.equal(await deeds(done.import_id), ['ImportCommitBegun', 'ImportUploaded']);
    assert.equal(await deeds(other.import_id), ['ImportEnded', 'ImportUploaded']);
    const told: Json = await until(async () => {
      const { notifications } = await world.read('/v1/notifications?kind=ingestion.import_finished');
      return notifications.find(({ data }: Json) => data.import_id === done.import_id);
    }, 'a notification');
    const { status, accepted, rejected, file } = told.data;
    assert.equal([status, accepted, rejected, file], ['partial', 1, 1, 'data.csv']);
    const { notifications } = await world.read('/v1/notifications?kind=ingestion.import_finished');
    assert.not.ok(notifications.some(({ data }: Json) => data.import_id === other.import_id));
  });

  test('one that was cancelled takes in no more, and keeps what it took in', async () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `${1_700_000_000 + i},${i}`);
    const { import_id: id } = await looked(['time,cancelled', ...lines].join('\n'), { mapping: wide });
    await ask(id, 'commit', {}, 202);
    await until(async () => (await shown(id)).read > 0, 'some rows');
    await ask(id, 'cancel');
    const ended = await shown(id);
    assert.is(ended.status, 'cancelled');
    assert.ok(ended.read < 400_000 && ended.accepted === ended.read, `${ended.read} ${ended.accepted}`);
    assert.equal(await ask(id, 'cancel'), { status: 'cancelled', import_id: id }, 'it is so already');
    for (const deed of ['commit', 'preview']) {
      const { error } = await ask(id, deed, {}, 409);
      assert.equal([error.code, error.details.import_status], ['import_not_open', 'cancelled']);
    }
    const { signals } = await world.read('/v1/signal?search=cancelled');
    assert.ok(signals[0].count >= ended.read && signals[0].count < 400_000, signals[0].count);
  });

  test('a preview with another mapping or format is kept for the commit', async () => {
    const { import_id: id, status, error } = await looked('a,b\n2026,2\n', { format: 'xlsx' });
    assert.equal([status, error.code], ['failed', 'unreadable_file']);
    assert.is((await ask(id, 'preview', { format: 'csv' })).data.status, 'parsed');
    const faulty = { mapping: { time: 'c', layout: 'wide' } };
    const found = (await ask(id, 'preview', faulty)).data;
    assert.equal(found.problems, [
      { row: null, column: null, message: "mapping.time names the column 'c'; the file has a, b" },
    ]);
    const { detail } = await ask(id, 'commit', {}, 422);
    assert.equal(detail[0].loc, ['body', 'mapping', 'time']);
    const mapping = { time: 'a', layout: 'wide', columns: { b: 'kept' }, time_format: '%Y' };
    await ask(id, 'preview', { mapping });
    const { data } = await ask(id, 'commit', {}, 202);
    assert.equal(data, { import_id: id, status: 'committing', poll_url: `${FILES}/${id}` });
    const done = await becomes(id, 'committed');
    assert.equal([done.format, done.mapping.columns], ['csv', { b: 'kept' }]);
    assert.equal(await points('kept'), [[Date.UTC(2026, 0, 1), 2]]);
  });

  test('files whose rows or names are long are shown in part, or refused', async () => {
    const texts = (n: number, length: number) =>
      Array.from({ length: n }, (_, i) => `${i}`.padEnd(length, 'x'));
    const row = `2026-03-01,${texts(4_000, 200).join(',')}`;
    const shownInPart = await looked(`time,${texts(4_000, 6).join(',')}\n${`${row}\n`.repeat(5)}`);
    assert.equal([shownInPart.status, shownInPart.rows.length], ['parsed', 2]);
    const names = texts(8_000, 90);
    const refused = await looked(`time,${names.join(',')}\n2026-03-01,${names.map((_, i) => i).join(',')}\n`);
    assert.equal([refused.status, refused.error?.code], ['failed', 'too_many_names']);
  });

  test('parquet', async () => {
    const content = parquetWriteBuffer({
      columnData: [
        { name: 'time', data: [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')] },
        { name: 'load', data: [1.5, null], type: 'DOUBLE' },
        { name: 'note', data: ['Storm', 'Calm'], type: 'STRING' },
      ],
    });
    const mapping = { ...wide, columns: { load: 'grid.load' }, event_text: 'note', stream: 'grid-notes' };
    const done = await committed(new Uint8Array(content), { name: 'grid.parquet', mapping });
    assert.equal([done.format, done.accepted, done.rejected], ['parquet', 3, 0]);
    assert.equal(await points('grid.load'), [[Date.UTC(2026, 2, 1), 1.5]]);
    const notes = await world.events('grid-notes');
    assert.equal(
      notes.map(({ text, origin }) => [text, origin]),
      [
        ['Storm', 'ingestion'],
        ['Calm', 'ingestion'],
      ],
    );
  });

  test('events with values, again and again, revised or not', async () => {
    const content = (value: string) => `time,what,worth\n2026-03-01,Sale,${value}\n2026-03-02,Fair,\n`;
    const mapping = { time: 'time', layout: 'long', event_text: 'what', value: 'worth', stream: 'worths' };
    const worth = async () => (await world.events('worths')).map(({ value }) => value);
    const counts = async (value: string, on_duplicate: string) => {
      const sent = { mapping: { ...mapping, on_duplicate } };
      const { accepted, duplicates } = await committed(content(value), sent);
      return [accepted, duplicates];
    };
    assert.equal(await counts('3', 'revise'), [2, 0]);
    assert.equal(await worth(), [3, null]);
    assert.equal(await counts('4', 'skip'), [0, 2]);
    assert.equal(await worth(), [3, null]);
    assert.equal(await counts('4', 'revise'), [1, 1]);
    assert.equal(await worth(), [4, null]);
  });

  test('keys that may not be, texts too long and rows too long are named', async () => {
    const content = [
      'time,what,much',
      '2026-03-01,fine,1',
      '2026-03-01,mkt:abc,1',
      `2026-03-01,${'x'.repeat(201)},1`,
      '2026-03-01,,1',
      '2026-03-01,fine,2,3',
      'some day,fine,4',
    ].join('\n');
    const mapping = { time: 'time', layout: 'long', key: 'what', value: 'much' };
    const done = await committed(content, { mapping });
    assert.equal([done.status, done.accepted, done.rejected], ['partial', 1, 5]);
    assert.equal(
      done.problems.map(({ row, column, message }: Json) => [row, column, message.split(':')[0]]),
      [
        [2, 'what', 'has a reserved name and is read-only'],
        [3, 'what', 'makes no key'],
        [4, 'what', 'is empty'],
        [5, null, 'has 4 cells; there are 3 columns'],
        [6, 'time', 'is no time of the form ISO 8601'],
      ],
    );
  });

  test('files go seven days after their import ended, and one that nobody commits ends by then', async () => {
    const done = await committed('time,kept\n2026-03-01,1\n');
    const open = await looked('time,open\n2026-03-01,1\n');
    const failed = await looked('', {});
    assert.is(failed.error.code, 'empty_file');
    const ids: string[] = [done, open, failed].map(({ import_id: id }) => id);
    const isThere = (id: string): Promise<boolean> =>
      world.api.platform.stores.files
        .use(fileOf(world.api.installed.workspaceId, id), async () => true)
        .catch((error: unknown) => {
          if (error instanceof FileMissing) return false;
          throw error;
        });
    assert.equal(await Promise.all(ids.map(isThere)), [true, true, true]);
    world.clock.now += FILE_KEPT_MS - 1;
    await world.restart();
    assert.is((await shown(open.import_id)).status, 'parsed');
    assert.equal(await Promise.all(ids.map(isThere)), [true, true, true]);
    world.clock.now += DAY;
    await world.restart();
    await until(async () => !(await Promise.all(ids.map(isThere))).includes(true), 'the files to go');
    const ended = await becomes(open.import_id, 'cancelled');
    assert.equal([ended.error.code, ended.finished_at], ['expired', iso(world.clock.now)]);
    assert.is((await shown(done.import_id)).status, 'committed');
    await ask(failed.import_id, 'preview', {}, 409);
  });

  test('all of them are listed, the newest first', async () => {
    const { import_id: id } = await looked('time,listed\n2026-03-01,1\n', { name: 'last.csv' });
    const { imports, total, page } = await world.read(`${FILES}?per_page=2`);
    assert.equal([imports.length, page, total > 5], [2, 1, true]);
    assert.equal([imports[0].import_id, imports[0].file], [id, 'last.csv']);
    const foreign = await world.client.get<Json>(`${FILES}/imp_nobodys`);
    assert.equal([foreign.status, foreign.body.error.code], [404, 'not_found']);
  });
});
