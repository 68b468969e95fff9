import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import type { Condition, Query, ReadModels, Where } from '../../projections/engine/read-models.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { given, page } from './documents.js';

const word = fc.constantFrom('', 'a', 'A', 'ab', 'b', '😀', '\uffff');
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -2.25, 1e-7, 0.1 + 0.2));
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const defined = <T extends object>(record: T): Defined<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
const doc = fc
  .record({ word, number, flag: some(fc.boolean()), maybe: some(fc.option(word)), _at: fc.nat(9) })
  .map(defined);
const range = <T extends string | number>(of: fc.Arbitrary<T>): fc.Arbitrary<Condition> =>
  fc
    .record({
      gt: some(of),
      gte: some(of),
      lt: some(of),
      lte: some(of),
      in: some(fc.array(of, { maxLength: 3 })),
    })
    .map(defined)
    .map(condition => (Object.keys(condition).length ? condition : { in: [] }));
const where = fc
  .record({
    word: some(
      fc.oneof(
        word,
        range(word),
        word.map(prefix => ({ prefix })),
      ),
    ),
    number: some(fc.oneof(number, range(number))),
    flag: some(fc.option(fc.boolean())),
    maybe: some(fc.oneof(fc.constant(null), word, range(word))),
    _at: some(range(fc.nat(9))),
  })
  .map(defined) as fc.Arbitrary<Where>;
const query = fc
  .record({
    where,
    descending: fc.boolean(),
    after: some(fc.tuple(word, number, fc.constantFrom('d', 'd05', 'd1', 'e'))),
    limit: some(fc.nat(6)),
    offset: some(fc.nat(4)),
    fields: some(fc.subarray(['word', 'flag', 'maybe', '_at'])),
  })
  .map(({ descending, ...rest }) =>
    defined({ ...rest, sort: { by: ['word', 'number', '_id'], descending } }),
  ) as fc.Arbitrary<Query>;

const documents = fc.array(doc, { maxLength: 12 });
const queries = fc.array(query, { minLength: 8, maxLength: 8 });

/** Every adapter answers as the plain one in memory does. */
export const likeMemory = (test: Test, store: () => ReadModels): void => {
  test('any documents, sweeps and queries are answered as in memory', () =>
    fc.assert(
      fc.asyncProperty(documents, where, fc.nat(9), queries, async (docs, swept, before, asked) => {
        const plain = memoryReadModels();
        const put = docs.map((one, i) => ({ _id: `d${String(i).padStart(2, '0')}`, ...one }));
        const collection = await given(store(), [], [['word', 'number'], ['flag'], ['maybe']]);
        await plain.prepare([{ name: collection, indexes: [] }]);
        const commit = page(collection, 1, {
          changes: [{ collection, put, remove: [] }],
          sweeps: [{ collection, where: swept, before }],
        });
        await Promise.all([store().commit(commit), plain.commit(commit)]);
        for (const query of asked) {
          assert.equal(await store().find(collection, query), await plain.find(collection, query));
          assert.is(await store().count(collection, query.where), await plain.count(collection, query.where));
        }
        await store().drop([collection], collection);
      }),
      { numRuns: 60 },
    ));
};
