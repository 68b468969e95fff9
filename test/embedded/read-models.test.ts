import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { selecting } from '../../adapters/embedded/query.js';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { START } from '../../domain/fact.js';
import type { Query, ReadModels, Stored } from '../../projections/engine/read-models.js';
import { page, type Thing } from '../contract/documents.js';
import { eventually, pause, rejection } from '../contract/opened.js';
import { suite } from '../suite.js';
import { child, kill, withFolder } from './child.js';

const SPEC = [{ name: 'things', indexes: [['stream', 'at'], ['due']] }];
const NEVER = { milliseconds: 1_000_000, documents: 1_000_000, letters: 1_000_000_000 };

const put = (...docs: Stored<Thing>[]) => [{ collection: 'things', put: docs, remove: [] }];

const withModels = (
  work: (models: ReadModels, file: string) => Promise<void>,
  delay = NEVER,
): Promise<void> =>
  withFolder(async folder => {
    const file = join(folder, 'models.db');
    const models = embeddedReadModels(file, delay);
    await models.prepare(SPEC);
    try {
      await work(models, file);
    } finally {
      await models.close();
    }
  });

/** What a process would find that started now, after a kill of this one. */
const afterKill = async <T>(file: string, look: (models: ReadModels) => Promise<T>): Promise<T> => {
  const models = embeddedReadModels(file, NEVER);
  try {
    return await look(models);
  } finally {
    await models.close();
  }
};

const STREAM_NEWEST = { by: ['at', '_id'], descending: true };

suite('embedded read models: queries go by their index', test => {
  const plan = (file: string, query: Query): string => {
    const db = new Libsql(file);
    const { text, values } = selecting('things', query);
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all([...values]) as { detail: string }[];
    db.close();
    return rows.map(row => row.detail).join('; ');
  };
  const cases: Record<string, [query: Query, index: RegExp]> = {
    'a prefix of the index': [{ where: { stream: 's' } }, /INDEX things:stream,at \(<expr>=\?\)/],
    'newest first': [
      { where: { stream: 's' }, sort: STREAM_NEWEST, limit: 10 },
      /INDEX things:stream,at \(<expr>=\?\)/,
    ],
    'oldest first, in a range': [
      { where: { stream: 's', at: { gte: 1, lt: 9 } }, sort: { by: ['at', '_id'] } },
      /\(<expr>=\? AND <expr>>\? AND <expr><\?\)/,
    ],
    'behind a place': [
      { where: { stream: 's' }, sort: STREAM_NEWEST, after: [5, 'x'], limit: 10 },
      /INDEX things:stream,at \(<expr>=\? AND <expr><\?\)/,
    ],
    'behind a place that goes through JSON': [
      { where: { stream: '😀' }, sort: STREAM_NEWEST, after: [0.5, '😀'] },
      /INDEX things:stream,at \(<expr>=\? AND <expr><\?\)/,
    ],
    'behind a place, in a range': [
      { where: { stream: 's', at: { gte: 1 } }, sort: STREAM_NEWEST, after: [5, 'x'] },
      /INDEX things:stream,at \(<expr>=\? AND <expr>>\? AND <expr><\?\)/,
    ],
    'some fields only': [
      { where: { stream: 's' }, sort: STREAM_NEWEST, fields: ['text'] },
      /INDEX things:stream,at/,
    ],
    'by id': [{ where: { _id: 'x' } }, /PRIMARY KEY \(_id=\?\)/],
    ids: [{ where: { _id: { in: ['x', 'y'] } } }, /PRIMARY KEY \(_id=\?\)/],
    'ids by prefix, in order': [
      { where: { _id: { prefix: 's/' } }, sort: { by: ['_id'] } },
      /PRIMARY KEY \(_id>\? AND _id<\?\)/,
    ],
    'ids behind a place': [
      { where: { _id: { prefix: 's/' } }, sort: { by: ['_id'], descending: true }, after: ['s/5'] },
      /PRIMARY KEY \(_id>\? AND _id<\?\)/,
    ],
    'a list of values': [{ where: { due: { in: [1, 2] } } }, /INDEX things:due \(<expr>=\?\)/],
    null: [{ where: { due: null } }, /INDEX things:due \(<expr>=\?\)/],
    'a prefix of text': [
      { where: { stream: { prefix: 's' } } },
      /INDEX things:stream,at \(<expr>>\? AND <expr><\?\)/,
    ],
  };
  for (const [what, [query, index]] of Object.entries(cases))
    test(what, () =>
      withModels(async (_, file) => {
        assert.match(plan(file, query), index);
        assert.not.match(plan(file, query), /TEMP B-TREE|SCAN things/);
      }),
    );
});

suite('embedded read models: written a moment later', test => {
  const doc = { _id: 'a', _at: 7, stream: 's' };

  test('a kill before the write leaves document and checkpoint as they were, after it both as they are', () =>
    withModels(async (models, file) => {
      await models.commit(page('p', 7, { changes: put(doc) }));
      assert.equal([...(await models.load('things', ['a'])).values()], [doc]);
      assert.is(await models.checkpoint('p'), 7);
      const left = () =>
        afterKill(file, async later => [
          await later.checkpoint('p'),
          (await later.load('things', ['a'])).size,
        ]);
      assert.equal(await left(), [START, 0]);
      assert.is(await models.count('things', {}), 1);
      assert.equal(await left(), [7, 1]);
    }));

  test('it is written after the time, without anybody asking', () =>
    withModels(
      async (models, file) => {
        await models.commit(page('p', 7, { changes: put(doc) }));
        await eventually('it was written', () =>
          afterKill(file, async later => (await later.checkpoint('p')) === 7),
        );
      },
      { ...NEVER, milliseconds: 20 },
    ));

  const limits = [
    ['documents', { ...NEVER, documents: 40 }, ''],
    ['letters', { ...NEVER, letters: 40_000 }, 'x'.repeat(1_000)],
  ] as const;
  for (const [what, delay, text] of limits) {
    test(`it is written when enough ${what} have come together`, () =>
      withModels(async (models, file) => {
        for (let at = 0; at < 100; at++)
          await models.commit(page('p', at, { changes: put({ _id: `d${at}`, _at: at, text }) }));
        const [checkpoint, count] = await afterKill(
          file,
          async later => [await later.checkpoint('p'), await later.count('things', {})] as const,
        );
        assert.ok(checkpoint >= 30, `${checkpoint}`);
        assert.is(count, checkpoint + 1);
      }, delay));
  }

  test('unless told otherwise it is written when about a thousand documents have come together', () =>
    withFolder(async folder => {
      const file = join(folder, 'models.db');
      const models = embeddedReadModels(file);
      await models.prepare(SPEC);
      for (let at = 0; at < 2_500; at += 500) {
        const docs = Array.from({ length: 500 }, (_, i) => ({ _id: `d${at + i}`, _at: at }));
        await models.commit(page('p', at, { changes: put(...docs) }));
      }
      // No timer could run in between
      const found = await afterKill(file, async later => later.count('things', {}));
      assert.ok(found >= 1_000, `${found}`);
      await models.close();
    }));

  test('a disk that fails loses nothing: the next commit is refused, all is written when it is back', () =>
    withModels(
      async (models, file) => {
        await models.commit(page('p', 1, { changes: put({ _id: 'old', _at: 1 }) }));
        await models.count('things', {});
        const blocker = new Libsql(file);
        blocker.exec('BEGIN IMMEDIATE');
        await models.commit(page('p', 7, { changes: put(doc) }));
        await pause(50); // the timer has met the lock, and waited for it in vain
        await rejection(models.commit(page('p', 8)));
        await rejection(models.find('things', { where: {} }));
        await rejection(
          models.commit(page('p', 9, { sweeps: [{ collection: 'things', where: {}, before: 2 }] })),
        );
        assert.equal([...(await models.load('things', ['a'])).values()], [doc]);
        blocker.exec('ROLLBACK');
        blocker.close();
        await models.commit(page('p', 9, { sweeps: [{ collection: 'things', where: {}, before: 2 }] }));
        assert.equal(await models.find('things', { where: {} }), [doc]);
        assert.equal(await afterKill(file, later => later.checkpoint('p')), 9);
      },
      { ...NEVER, milliseconds: 1 },
    ));

  test('kill -9 between commits: documents and checkpoint always tell of the same page', () =>
    withFolder(async folder => {
      const file = join(folder, 'models.db');
      for (let round = 0; round < 3; round++) {
        const writer = child(`
        const { embeddedReadModels } = await import(adapter('read-models'));
        const limits = { milliseconds: 5, documents: 50, letters: 1e9 };
        const models = embeddedReadModels(${JSON.stringify(file)}, limits);
        await models.prepare([{ name: 'things', indexes: [['n']] }]);
        for (let at = await models.checkpoint('p') + 1; ; at++) {
          const put = [{ _id: 'last', _at: at, n: at }, { _id: 'd' + at, _at: at, n: at }];
          const changes = [{ collection: 'things', put, remove: [] }];
          await models.commit({ projection: 'p', checkpoint: at, changes, sweeps: [] });
          if (at % 10 === 0) await new Promise(resolve => setTimeout(resolve, 1));
          console.log(at);
        }`);
        try {
          await eventually('it is under way', () => writer.lines.length > 300);
        } finally {
          await kill(writer);
        }
        await afterKill(file, async models => {
          const checkpoint = await models.checkpoint('p');
          assert.ok(checkpoint > 0);
          assert.equal(
            [...(await models.load('things', ['last'])).values()],
            [{ _id: 'last', _at: checkpoint, n: checkpoint }],
          );
          assert.is(await models.count('things', {}), checkpoint + 2);
          assert.is(await models.count('things', { n: { gt: checkpoint } }), 0);
        });
      }
    }));
});

suite('embedded read models: what SQLite and libsql would get wrong', test => {
  const find = async (models: ReadModels, where: Query['where']): Promise<string[]> =>
    (await models.find('things', { where, sort: { by: ['_id'] } })).map(doc => doc._id);

  test('text with U+0000 and lone surrogates is told apart', () =>
    withModels(async models => {
      const texts = ['a', 'a\0', 'a\0b', 'a\0c', '\ud800', '\udfff', '\ufffd'];
      await models.commit(
        page('p', 1, { changes: put(...texts.map((stream, i) => ({ _id: `${i}`, _at: 1, stream }))) }),
      );
      for (const [i, stream] of texts.entries()) {
        assert.equal(await find(models, { stream }), [`${i}`]);
        assert.equal(await find(models, { stream: { in: [stream] } }), [`${i}`]);
      }
      assert.equal(await find(models, { stream: { prefix: 'a\0' } }), ['1', '2', '3']);
      assert.equal(await find(models, { stream: { gt: 'a\0b', lt: 'b' } }), ['3']);
      const loaded = await models.load<Thing>(
        'things',
        texts.map((_, i) => `${i}`),
      );
      for (const [i, stream] of texts.entries()) assert.is(loaded.get(`${i}`)!['stream'], stream);
    }));

  test('a fraction equals itself, whatever its last bits', () =>
    withModels(async models => {
      const numbers = Array.from({ length: 2_000 }, (_, i) => Math.sin(i + 1) * 10 ** ((i % 30) - 12));
      await models.commit(
        page('p', 1, { changes: put(...numbers.map((due, i) => ({ _id: `${i}`, _at: 1, due }))) }),
      );
      for (const [i, due] of numbers.entries()) assert.equal(await find(models, { due }), [`${i}`]);
    }));

  test('an id SQLite would not keep is refused with its whole page', () =>
    withModels(async models => {
      for (const _id of ['a\0b', '\ud800']) {
        const changes = put({ _id: 'fine', _at: 1 }, { _id, _at: 1 });
        assert.instance(await rejection(models.commit(page('p', 1, { changes }))), RangeError);
      }
      assert.is(await models.count('things', {}), 0);
      assert.is(await models.checkpoint('p'), START);
    }));

  test('a page for an unknown collection is refused whole', () =>
    withModels(async models => {
      const changes = [...put({ _id: 'fine', _at: 1 }), { collection: 'unknown', put: [], remove: [] }];
      await rejection(models.commit(page('p', 1, { changes })));
      const sweeps = [{ collection: 'unknown', where: {}, before: 1 }];
      await rejection(models.commit(page('p', 1, { changes: put({ _id: 'fine', _at: 1 }), sweeps })));
      assert.is(await models.count('things', {}), 0);
      assert.is(await models.checkpoint('p'), START);
    }));

  test('names are never taken for SQL', () =>
    withModels(async models => {
      for (const name of ['a b', 'a"; DROP TABLE things; --', '', '_checkpoints', '1a']) {
        assert.instance(await rejection(models.prepare([{ name, indexes: [] }])), RangeError);
      }
      for (const field of ['a b', `a'`, 'a.b', '']) {
        assert.instance(await rejection(models.find('things', { where: { [field]: 1 } })), RangeError);
        assert.instance(await rejection(models.find('things', { where: {}, fields: [field] })), RangeError);
        assert.instance(
          await rejection(models.prepare([{ name: 'others', indexes: [[field]] }])),
          RangeError,
        );
      }
      assert.equal(await models.collections(), ['things']);
    }));
});
