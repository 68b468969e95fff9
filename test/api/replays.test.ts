import * as assert from 'uvu/assert';
import { START, type Fact } from '../../domain/fact.js';
import { deliveryIdIn, momentOf, type WebhookDeliveriesTaken } from '../../domain/ingestion/deliveries.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { ingestionApi, type IngestionApi, type Made } from './ingestion-world.js';

const HOUR = 3_600_000;

/** Notes a delivery once more, without when its body first came; its id then. */
async function asNotedBefore({ api }: IngestionApi, deliveryId: string): Promise<string> {
  const { stores, visible, newId } = api.platform;
  const journal = `webhook_delivery-${api.installed.workspaceId}.`;
  const facts = await stores.events.read(journal + momentOf(deliveryId), START, 1);
  const { type, at, meta, data } = facts[0] as Fact<WebhookDeliveriesTaken>;
  const momentId = newId().replaceAll('-', '');
  const old = deliveryIdIn(momentId, 0);
  const { arrivedAt: _, ...delivery } = data.deliveries.find(each => each.deliveryId === deliveryId)!;
  const written = { ...data, momentId, deliveries: [{ ...delivery, deliveryId: old }] };
  const fact = { id: newId(), type, at, meta, data: written };
  await visible((await stores.events.append(journal + momentId, START, [fact])).position);
  return old;
}

suite('deliveries taken again', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());
  const replayed = async ({ source_id }: Made, delivery: string): Promise<Json> => {
    const path = `/v1/ingestion/sources/${source_id}/deliveries/${delivery}/replay`;
    const answer = await world.client.post<Json>(path, {});
    assert.is(answer.status, 200, answer.text);
    return answer.body.data;
  };

  test('double no event that has neither id nor time: it is of when the body first came', async () => {
    const made = await world.source({ stream: 'once', id_path: 'id', text_path: 't' });
    const came = world.clock.now;
    const items = [
      { id: null, t: 'eight' },
      { t: 'nine', occurred_at: 'some day' },
    ];
    const { delivery_id } = (await world.deliver(made, items)).body.data;
    world.clock.now += HOUR;
    const again = await replayed(made, delivery_id);
    world.clock.now += HOUR;
    await replayed(made, again.delivery_id);
    assert.equal((await world.events('once')).map(({ text, occurred_at }) => [text, occurred_at]).sort(), [
      ['eight', came],
      ['nine', came],
    ]);
  });

  test('also where a replay was noted before its first arrival was', async () => {
    const made = await world.source({ stream: 'before', text_path: 't' });
    const came = world.clock.now;
    const { delivery_id } = (await world.deliver(made, { t: 'seven' })).body.data;
    world.clock.now += HOUR;
    const again = await replayed(made, delivery_id);
    await world.read(`/v1/ingestion/sources/${made.source_id}/deliveries`); // they are noted then
    const old = await asNotedBefore(world, again.delivery_id);
    world.clock.now += HOUR;
    await replayed(made, old);
    assert.equal(
      (await world.events('before')).map(({ occurred_at }) => occurred_at),
      [came],
    );
  });

  test('nor a point of a row without a time', async () => {
    const made = await world.source({ stream: 'rows' });
    const came = world.clock.now;
    const { delivery_id } = (await world.deliver(made, { load: 7 }, { kind: 'signal' })).body.data;
    world.clock.now += HOUR;
    const again = await replayed(made, delivery_id);
    assert.equal([again.accepted, again.duplicates], [0, 1]);
    assert.equal((await world.read('/v1/signal/points?key=rows.load')).points, [[came, 7]]);
  });

  test('a delivery that was refused is of when it came, too', async () => {
    const made = await world.source({ stream: 'later', array_path: 'items' });
    const came = world.clock.now;
    await world.deliver(made, '{"items": [');
    const { delivery_id } = (await world.deliver(made, { items: [{ note: 'ten' }] })).body.data;
    const path = `/v1/ingestion/sources/${made.source_id}`;
    await world.client.patch<Json>(path, { event_config: { text_path: 'note' } });
    world.clock.now += HOUR;
    await replayed(made, delivery_id);
    assert.equal(
      (await world.events('later')).map(({ text, occurred_at }) => [text, occurred_at]),
      [['ten', came]],
    );
  });
});
