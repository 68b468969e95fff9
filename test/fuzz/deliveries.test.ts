import * as assert from 'uvu/assert';
import { ingestionApi, type IngestionApi, type Made } from '../api/ingestion-world.js';
import type { Json } from '../json.js';
import { randomOf, seedFrom, type Random } from '../random.js';
import { suite } from '../suite.js';
import { badJson, evil, noise } from './bad-json.js';

/** `FUZZ_RUNS` for more, `FUZZ_SEED` to see them again. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3_000) * 0.2;
const paths = ['text', 'a.b', 'items', '["__proto__"]', 'list[0]', 'a["b.c"][1]', 'id', 'constructor'];
const members = ['id', 'text', 'occurred_at', 'a', 'items', 'list', '__proto__', 'length'];

/** Bodies that nobody expects, rightly signed, to sources whose paths lead anywhere. */
suite('webhook sources under random bodies', test => {
  let world: IngestionApi;
  const sources: Made[] = [];
  const random = randomOf(seedFrom('FUZZ_SEED'));
  test.before(async () => {
    world = await ingestionApi({ running: ['api', 'projections'] });
    for (let n = 0; n < 12; n++) sources.push(await world.source(configIn(random, n)));
  });
  test.after(() => world.close());

  test('each is answered as described: its items add up, or it is refused as a whole', async () => {
    const statuses = new Map<number, number>();
    for (let n = 0; n < RUNS; n++) {
      const body = random.chance(0.5) ? badJson(random) : Buffer.from(JSON.stringify(valueIn(random, 0)));
      const kind = random.pick(['events', 'signal']);
      const shown = `${kind} ${body.toString('latin1').slice(0, 300)}`;
      const { status, text, body: said } = await world.deliver(random.pick(sources), body, { kind });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.ok([200, 400, 413, 422].includes(status), `${status} ${text} to ${shown}`);
      if (status !== 200) continue;
      const { accepted, duplicates, rejected, ignored, errors } = said.data as Json;
      for (const count of [accepted, duplicates, rejected, ignored]) assert.ok(count >= 0, shown);
      assert.is(errors.length, Math.min(rejected, 20), shown);
      if (kind === 'events') assert.ok(accepted + duplicates + rejected <= 1_000, shown);
    }
    assert.ok(statuses.get(200)! > 0 && statuses.get(400)! > 0, JSON.stringify([...statuses]));
  });

  test('headers of signatures that are none are refused, whatever stands in them', async () => {
    const names = ['x-signature', 'x-hub-signature-256', 'x-webhook-signature', 'webhook-signature'];
    for (let n = 0; n < RUNS / 10; n++) {
      const value = random.pick([
        random
          .pick(evil)
          .replace(/[^\x20-\x7e]/g, '')
          .slice(0, 1_000),
        noise(random, 40).toString('hex'),
        `sha256=${'0'.repeat(random.below(100))}`,
        Array.from({ length: random.below(50) }, () => 'f'.repeat(64)).join(','),
      ]);
      const headers = { [random.pick(names)]: value };
      const { status } = await world.deliver(random.pick(sources), '{"text":"x"}', { headers });
      assert.ok(status === 401 || status === 429, `${status} to ${JSON.stringify(headers)}`);
    }
  });

  test('and sources, deliveries and streams can still be read', async () => {
    for (const { source_id: id } of sources) {
      const { deliveries } = await world.read(`/v1/ingestion/sources/${id}/deliveries?per_page=100`);
      assert.ok(deliveries.length > 0);
    }
    assert.is((await world.read('/v1/ingestion/sources')).total, sources.length);
    await world.read('/v1/event/streams');
    await world.read('/v1/signal');
  });
});

const configIn = (random: Random, n: number): object => ({
  stream: `fuzz-${n}`,
  ...(random.chance(0.5) && { array_path: random.pick(paths) }),
  ...(random.chance(0.3) && { text_path: random.pick(paths) }),
  ...(random.chance(0.3) && { occurred_at_path: random.pick(paths) }),
  ...(random.chance(0.5) && { id_path: random.pick(paths) }),
});

/** Lists and objects of the members that paths lead to, as deep as chance has it. */
function valueIn(random: Random, depth: number): unknown {
  const scalar = (): unknown =>
    random.pick([random.pick(evil), 'text', 0, -0, 1e308, 1.7e9, 1.7e12, true, null, '2026-01-01', '1e3']);
  if (depth > 4 || random.chance(0.3)) return scalar();
  if (random.chance(0.4))
    return Array.from({ length: random.pick([0, 1, 3, 3, 40]) }, () => valueIn(random, depth + 2));
  const entries = members.filter(() => random.chance(0.4)).map(name => [name, valueIn(random, depth + 1)]);
  return Object.fromEntries(entries);
}
