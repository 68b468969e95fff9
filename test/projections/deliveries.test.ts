import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { DeliveryFact, Taken } from '../../domain/ingestion/deliveries.js';
import { eventConfigOf } from '../../domain/ingestion/event-config.js';
import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { ingestionProjection } from '../../projections/ingestion/projection.js';
import { sourceQueries } from '../../projections/ingestion/source-queries.js';
import { stored } from '../spec.js';
import { suite } from '../suite.js';

type Past = (SourceFact | DeliveryFact) & { readonly at: number };

const id = { workspace: 'w', sourceId: 'src' };
const config = { name: 'Source', connectorId: 'webhook', kind: 'event', mode: 'push', config: {} } as const;
const created = (sourceId = 'src'): Past => ({
  type: 'SourceCreated',
  data: { ...id, sourceId, ...config, eventConfig: eventConfigOf({}), personal: null },
  at: 1,
});
const taken = (deliveryId: string, at: number, more: Partial<Taken> = {}): Taken => ({
  ...{ deliveryId, at, request: 'r', kind: 'events', status: 200, code: null, ignored: 0, bytes: 10 },
  ...{ accepted: 1, duplicates: 2, rejected: 0, errors: [], repeats: false, signatureHeader: null },
  ...{ replayOf: null, body: null, ...more },
});
/** As many as there are times, noted together. */
const moment = (momentId: string, times: readonly number[], more: Partial<Taken> = {}): Past => ({
  type: 'WebhookDeliveriesTaken',
  data: { ...id, momentId, deliveries: times.map((at, n) => taken(`${momentId}-${n}`, at, more)) },
  at: times.at(-1)!,
});
/** One as it was noted before they were noted together. */
const alone = (deliveryId: string, at: number): Past => {
  const { at: _at, request: _request, ...delivery } = taken(deliveryId, at);
  return { type: 'WebhookDelivered', data: { ...id, ...delivery }, at };
};
const refused = (deliveryId: string, at: number): Past => ({
  type: 'WebhookRefused',
  data: {
    ...{ ...id, deliveryId, kind: 'events', status: 401, bytes: 5, signatureHeader: 'x-signature' },
    ...{ code: 'invalid_signature', message: 'Invalid signature' },
  },
  at,
});

async function after(past: readonly Past[], pageSize = 2) {
  const models = memoryReadModels();
  await models.prepare(collectionsOf(ingestionProjection, 0));
  const facts = stored(...past);
  for (let from = 0; from < facts.length; from += pageSize)
    await applyPage(ingestionProjection, models, 0, facts.slice(from, from + pageSize));
  const queries = sourceQueries(reader(models, ingestionProjection, () => 0));
  return {
    queries,
    async ids(from: number, limit: number, offset: number) {
      const { items, total } = await queries.deliveries('src', from, { limit, offset });
      return [total, ...items.map(({ deliveryId }) => deliveryId)];
    },
  };
}

const PAST: readonly Past[] = [
  ...[created(), alone('whd_old', 10), refused('whd_wrong', 20)],
  ...[moment('whd_a', [30, 31, 32]), moment('whd_b', [40]), moment('whd_c', [50, 51])],
];
const NEWEST_FIRST = [
  ...['whd_c-1', 'whd_c-0', 'whd_b-0', 'whd_a-2', 'whd_a-1', 'whd_a-0', 'whd_wrong', 'whd_old'],
];

suite('deliveries that were noted', test => {
  test('are listed newest first, page by page, however many of them were noted together', async () => {
    for (const pageSize of [1, 2, 10]) {
      const { ids } = await after(PAST, pageSize);
      for (let limit = 1; limit <= 9; limit++)
        for (let offset = 0; offset <= 9; offset++)
          assert.equal(await ids(0, limit, offset), [8, ...NEWEST_FIRST.slice(offset, offset + limit)]);
    }
  });

  test('are listed and counted from a time on', async () => {
    const { ids } = await after(PAST);
    assert.equal(await ids(20, 5, 4), [7, 'whd_a-1', 'whd_a-0', 'whd_wrong']);
    assert.equal(await ids(33, 2, 2), [3, 'whd_b-0']);
    assert.equal(await ids(52, 9, 0), [0]);
  });

  test('are found by their ids in their own source alone', async () => {
    const { queries } = await after(PAST);
    for (const deliveryId of NEWEST_FIRST)
      assert.is((await queries.delivery('src', deliveryId))?.deliveryId, deliveryId);
    for (const deliveryId of ['whd_a', 'whd_a-3', 'whd_b-1', 'whd_none-0', 'whd_old-0', ''])
      assert.is(await queries.delivery('src', deliveryId), null, deliveryId);
    assert.is(await queries.delivery('other', 'whd_a-0'), null);
  });

  test('count for their source one by one, in order', async () => {
    const failing = moment('whd_f', [60, 61], { status: 400, code: 'invalid_json', accepted: 0 });
    const { queries } = await after([...PAST, failing]);
    const source = (await queries.anybodys('src'))!;
    assert.equal([source.failures, source.deliveries_noted, source.last_delivery_at], [2, 10, 61]);
    assert.equal(source.last_error, { code: 'invalid_json', message: 'The delivery failed', at: 61 });
    assert.equal(source.hours, [
      { hour: 0, deliveries: 9, accepted: 7, duplicates: 18, rejected: 0, bytes: 90, repeats: 0 },
    ]);
    const well = await after([...PAST, failing, moment('whd_w', [70])]);
    assert.is((await well.queries.anybodys('src'))!.failures, 0);
  });

  test('are gone with their source, also those that are noted after it', async () => {
    const gone: Past = { type: 'SourceDeleted', data: id, at: 60 };
    const { queries, ids } = await after([...PAST, gone, moment('whd_late', [61])]);
    assert.equal(await ids(0, 9, 0), [0]);
    assert.is(await queries.delivery('src', 'whd_late-0'), null);
    assert.is(await queries.delivery('src', 'whd_a-0'), null);
  });

  test('of a day are forgotten with it, and the others keep their places', async () => {
    const DAY = 86_400_000;
    const forgotten = { type: 'WebhookDayForgotten', data: { day: '1970-01-01' }, at: 2 * DAY } as const;
    const past = [...PAST, moment('whd_n', [DAY, DAY + 1]), forgotten as never, moment('whd_m', [2 * DAY])];
    const { ids } = await after(past);
    assert.equal(await ids(0, 9, 0), [3, 'whd_m-0', 'whd_n-1', 'whd_n-0']);
    assert.equal(await ids(0, 1, 1), [3, 'whd_n-1']);
  });
});
