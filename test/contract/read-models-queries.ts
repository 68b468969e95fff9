import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import type { Query, ReadModels, Stored, Where } from '../../projections/engine/read-models.js';
import { given } from './documents.js';
import { likeMemory } from './read-models-random.js';

type Row = Stored & {
  readonly stream: string;
  readonly at: number;
  readonly n?: number | null;
  readonly on?: boolean;
  readonly text?: string;
};

const rows: Row[] = Array.from({ length: 60 }, (_, i) => ({
  _id: `d${String(i).padStart(2, '0')}`,
  _at: i,
  stream: `s${i % 3}`,
  at: Math.floor(i / 6),
  on: i % 2 === 0,
  ...(i % 5 === 0 ? {} : { n: i % 5 === 1 ? null : i / 4 }),
  text: `t${i % 7}`,
}));
const INDEXES = [['stream', 'at'], ['n'], ['on', 'at'], ['text'], ['on', '_at', '_id']];
const byId = (list: readonly { _id: string }[]): string[] => list.map(doc => doc._id);

/** What every adapter must answer to `find` and `count`. */
export const querying = (test: Test, store: () => ReadModels): void => {
  let filled: string | null = null;
  const collection = async (): Promise<string> => (filled ??= await given(store(), rows, INDEXES));
  conditions(test, store, collection);
  ordering(test, store, collection);
  text(test, store);
  likeMemory(test, store);
};

const conditions = (test: Test, store: () => ReadModels, collection: () => Promise<string>): void => {
  const matches = (where: Where, expected: (row: Row) => boolean) => async (): Promise<void> => {
    const found = await store().find(await collection(), { where });
    assert.equal(byId(found).sort(), byId(rows.filter(expected)));
    assert.ok(rows.some(expected) === found.length > 0);
    assert.is(await store().count(await collection(), where), found.length);
  };
  test(
    'no condition: all',
    matches({}, () => true),
  );
  test(
    'text equal',
    matches({ stream: 's1' }, row => row.stream === 's1'),
  );
  test(
    'number equal',
    matches({ n: 0.5 }, row => row.n === 0.5),
  );
  test(
    'a number is not its text',
    matches({ text: 1, n: '0.5' }, () => false),
  );
  test(
    'true',
    matches({ on: true }, row => row.on === true),
  );
  test(
    'false',
    matches({ on: false, stream: 's0' }, row => row.on === false && row.stream === 's0'),
  );
  test(
    'null: absent or null',
    matches({ n: null }, row => row.n === null || row.n === undefined),
  );
  test(
    'a field nobody has',
    matches({ nothing: 'x' }, () => false),
  );
  test(
    'a field nobody has is null',
    matches({ nothing: null }, () => true),
  );
  test(
    'by id',
    matches({ _id: 'd07' }, row => row._id === 'd07'),
  );
  test(
    'number range, which null and absence are outside of',
    matches({ n: { gt: -1, lte: 7 } }, row => typeof row.n === 'number' && row.n <= 7),
  );
  test(
    'number range, the other ends',
    matches({ n: { gte: 3, lt: 7.25 } }, row => typeof row.n === 'number' && row.n >= 3 && row.n < 7.25),
  );
  test(
    'text range',
    matches({ text: { gte: 't2', lt: 't5' } }, row => row.text! >= 't2' && row.text! < 't5'),
  );
  test(
    'id range',
    matches({ _id: { gt: 'd10', lte: 'd12' } }, row => row._id === 'd11' || row._id === 'd12'),
  );
  test(
    'in',
    matches({ n: { in: [0.5, 99, 3.5] } }, row => row.n === 0.5 || row.n === 3.5),
  );
  test(
    'in, ids',
    matches({ _id: { in: ['d01', 'd02', 'zz', 'd01'] } }, row => row._id === 'd01' || row._id === 'd02'),
  );
  test(
    'in nothing',
    matches({ n: { in: [] } }, () => false),
  );
  test(
    'prefix',
    matches({ _id: { prefix: 'd1' } }, row => row._id.startsWith('d1')),
  );
  test(
    'empty prefix: any text',
    matches({ text: { prefix: '' } }, () => true),
  );
  test(
    'empty prefix: no number',
    matches({ at: { prefix: '' } }, () => false),
  );
  test(
    'several conditions on one field',
    matches(
      { _id: { prefix: 'd', gt: 'd20', lte: 'd30', in: ['d20', 'd21', 'd40'] } },
      row => row._id === 'd21',
    ),
  );
  test(
    'several fields',
    matches(
      { stream: 's2', at: { gte: 4, lte: 8 }, on: true },
      row => row.stream === 's2' && row.at >= 4 && row.at <= 8 && row.on === true,
    ),
  );
};

const ordering = (test: Test, store: () => ReadModels, collection: () => Promise<string>): void => {
  const find = async (query: Query): Promise<Row[]> => store().find<Row>(await collection(), query);
  const ascending = [...rows].sort((a, b) => a.at - b.at || (a._id < b._id ? -1 : 1));

  test('sorted both ways, ties by id', async () => {
    assert.equal(byId(await find({ where: {}, sort: { by: ['at', '_id'] } })), byId(ascending));
    assert.equal(
      byId(await find({ where: {}, sort: { by: ['at', '_id'], descending: true } })),
      byId([...ascending].reverse()),
    );
    const only = ascending.filter(row => row.stream === 's1').reverse();
    assert.equal(
      byId(await find({ where: { stream: 's1' }, sort: { by: ['at', '_id'], descending: true }, limit: 5 })),
      byId(only.slice(0, 5)),
    );
  });

  test('three fields, text first', async () => {
    const byText = (a: Row, b: Row): number => Number(a.text! > b.text!) - Number(a.text! < b.text!);
    const expected = [...rows].sort((a, b) => byText(a, b) || a.at - b.at || (a._id < b._id ? -1 : 1));
    assert.equal(byId(await find({ where: {}, sort: { by: ['text', 'at', '_id'] } })), byId(expected));
  });

  test('paging by place: nothing lost or doubled among ties, both ways, with a condition', async () => {
    const wheres: Where[] = [{}, { stream: 's1' }, { stream: 's1', at: { gte: 2 } }];
    for (const descending of [false, true])
      for (const where of wheres) {
        const all = await find({ where, sort: { by: ['at', '_id'], descending } });
        const paged: Row[] = [];
        for (;;) {
          const last = paged.at(-1);
          const next = await find({
            where,
            sort: { by: ['at', '_id'], descending },
            limit: 7,
            ...(last ? { after: [last.at, last._id] } : {}),
          });
          if (next.length === 0) break;
          paged.push(...next);
        }
        assert.equal(byId(paged), byId(all));
        assert.ok(all.length > 7);
      }
  });

  test('a place need not be that of a document', async () => {
    const after = await find({ where: {}, sort: { by: ['at', '_id'] }, after: [3, 'd20x'] });
    assert.equal(
      byId(after),
      byId(ascending.filter(row => row.at > 3 || (row.at === 3 && row._id > 'd20x'))),
    );
    assert.equal(
      await find({ where: {}, sort: { by: ['at', '_id'], descending: true }, after: [-1, ''] }),
      [],
    );
    assert.equal(byId(await find({ where: {}, sort: { by: ['_id'] }, after: ['d57'] })), ['d58', 'd59']);
    assert.equal(byId(await find({ where: {}, sort: { by: ['at'] }, after: [8] })).sort(), [
      'd54',
      'd55',
      'd56',
      'd57',
      'd58',
      'd59',
    ]);
  });

  test('limit and offset', async () => {
    const sort = { by: ['at', '_id'] };
    assert.equal(byId(await find({ where: {}, sort, limit: 4, offset: 10 })), byId(ascending.slice(10, 14)));
    assert.equal(byId(await find({ where: {}, sort, offset: 55 })), byId(ascending.slice(55)));
    assert.equal(await find({ where: {}, sort, offset: 60 }), []);
    assert.equal(await find({ where: {}, sort, limit: 0 }), []);
    assert.equal(byId(await find({ where: {}, sort, after: [0, 'd01'], offset: 1, limit: 2 })), [
      'd03',
      'd04',
    ]);
    assert.is((await find({ where: {}, limit: 9 })).length, 9);
  });

  test('only the fields asked for, absent ones absent', async () => {
    const query: Query = { where: { _id: { in: ['d05', 'd06', 'd07'] } }, sort: { by: ['_id'] } };
    assert.equal(await find({ ...query, fields: ['n', 'on', 'nothing'] }), [
      { _id: 'd05', on: false },
      { _id: 'd06', n: null, on: true },
      { _id: 'd07', n: 1.75, on: false },
    ]);
    assert.equal(await find({ ...query, fields: ['_at'], limit: 1 }), [{ _id: 'd05', _at: 5 }]);
    assert.equal(await find({ ...query, fields: [], limit: 1 }), [{ _id: 'd05' }]);
  });

  test('fields may hold anything, and be sorted by when they do not come back', async () => {
    const held = { object: { a: [1, { b: null }] }, list: ['x', 2], text: `'"\\😀` };
    const name = await given(store(), [
      { _id: 'a', n: 2, ...held },
      { _id: 'b', n: 1, ...held },
    ]);
    const found = await store().find(name, { where: {}, sort: { by: ['n'] }, fields: Object.keys(held) });
    assert.equal(found, [
      { _id: 'b', ...held },
      { _id: 'a', ...held },
    ]);
  });
};

const text = (test: Test, store: () => ReadModels): void => {
  test('text orders by code point, in sort, range, place and prefix, as a field and as an id', async () => {
    const words = [
      '',
      'A',
      'Z',
      'a',
      'a%b',
      'a_b',
      'ab',
      'aé',
      'b',
      'z',
      'é',
      '～',
      '\uffff',
      '😀',
      '😀a',
      '😁',
      '\u{10ffff}',
      '\u{10ffff}a',
    ];
    const name = await given(store(), words.map((word, i) => ({ _id: `${word}#`, word, i })).reverse(), [
      ['word'],
    ]);
    const find = async (query: Query): Promise<number[]> =>
      (await store().find(name, query)).map(doc => (doc as unknown as { i: number }).i);
    const all = words.map((_, i) => i);
    for (const by of ['word', '_id']) {
      assert.equal(await find({ where: {}, sort: { by: [by] } }), all);
      assert.equal(await find({ where: {}, sort: { by: [by], descending: true } }), [...all].reverse());
      assert.equal(
        await find({ where: { [by]: { gt: '\uffff~' } }, sort: { by: [by] } }),
        [13, 14, 15, 16, 17],
      );
      assert.equal(await find({ where: {}, sort: { by: [by] }, after: ['\uffff~'] }), [13, 14, 15, 16, 17]);
    }
    for (const prefix of ['a', '😀', '\u{10ffff}', 'a%', 'a_', '\uffff', 'é']) {
      assert.equal(
        await find({ where: { word: { prefix } }, sort: { by: ['word'] } }),
        all.filter(i => words[i]!.startsWith(prefix)),
      );
    }
  });
};
