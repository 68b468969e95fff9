import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { momentsOf, type Outcome } from '../../commands/ingestion/moments.js';
import type { WebhookDeliveriesTaken } from '../../domain/ingestion/deliveries.js';
import type { Fact } from '../../domain/fact.js';
import { START } from '../../domain/fact.js';
import { suite } from '../suite.js';

const outcome: Outcome = {
  ...{ kind: 'events', status: 200, code: null, accepted: 1, duplicates: 0, rejected: 0, ignored: 0 },
  ...{ bytes: 2, signatureHeader: 'x-signature', repeats: false, errors: [], replayOf: null, body: null },
};
const context = (at: number, actor = 'source:s'): Context => ({
  ...{ workspace: 'w', actor, request: `r${at}`, correlation: `r${at}`, causation: null, at },
});

function world() {
  const store = memoryEventStore();
  const said: unknown[] = [];
  let refuses = false;
  const failing = {
    ...store,
    append: async (...given: Parameters<typeof store.append>) => {
      if (refuses) throw new Error('no room');
      return store.append(...given);
    },
  };
  const log = { info() {}, warn: (what: unknown) => said.push(what), error() {} };
  const moments = momentsOf({ handle: handler(failing, randomUUID), log });
  return {
    moments,
    said,
    refuse: (is: boolean) => (refuses = is),
    facts: async () => (await store.page(START, 1_000)) as readonly Fact<WebhookDeliveriesTaken>[],
  };
}
const idsIn = ({ data }: Fact<WebhookDeliveriesTaken>): string[] =>
  data.deliveries.map(each => each.deliveryId);

suite('moments of deliveries', test => {
  test('what comes of one source at a time is one fact, with who, when and by which request', async () => {
    const { moments, facts } = world();
    const ids = [1, 2, 3].map(at => moments.note('w', 's', outcome, context(at)));
    assert.is(new Set(ids).size, 3);
    assert.equal(await facts(), [], 'nobody waits for it');
    const position = await moments.settled();
    const [fact, ...others] = await facts();
    assert.equal(others, []);
    assert.equal(idsIn(fact!), ids);
    assert.equal([fact!.position, fact!.at, fact!.meta.actor], [position, 3, 'source:s']);
    assert.equal(
      fact!.data.deliveries.map(({ at, request }) => [at, request]),
      [1, 2, 3].map(at => [at, `r${at}`]),
    );
  });

  test('other sources, other callers and other times are other facts', async () => {
    const { moments, facts } = world();
    moments.note('w', 's', outcome, context(1));
    moments.note('w', 'other', outcome, context(1));
    moments.note('w', 's', outcome, context(1, 'token:t'));
    moments.note('w', 's', outcome, context(10_000));
    await moments.settled();
    assert.equal((await facts()).map(({ at, meta, data }) => [data.sourceId, meta.actor, at]).sort(), [
      ['other', 'source:s', 1],
      ['s', 'source:s', 1],
      ['s', 'source:s', 10_000],
      ['s', 'token:t', 1],
    ]);
  });

  test('are never too large to be written, whatever is wrong with what came', async () => {
    const { moments, facts } = world();
    const errors = Array.from({ length: 20 }, (_, index) => ({
      ...{ index, field: 'x'.repeat(1_000), code: 'validation_error', message: 'y'.repeat(1_000) },
    }));
    const ids = Array.from({ length: 450 }, (_, at) =>
      moments.note('w', 's', at < 30 ? { ...outcome, errors } : outcome, context(at)),
    );
    await moments.settled();
    const written = await facts();
    assert.equal(written.flatMap(idsIn).sort(), [...ids].sort());
    for (const { data } of written) assert.ok(JSON.stringify(data).length < 400_000);
    assert.is(written.length, 9, 'six of many errors, three of 200 at most');
  });

  test('one that cannot be written is told of and keeps nobody else from being noted', async () => {
    const { moments, facts, said, refuse } = world();
    refuse(true);
    moments.note('w', 's', outcome, context(1));
    assert.is(await moments.settled(), null);
    assert.is(said.length, 1);
    refuse(false);
    const next = moments.note('w', 's', outcome, context(2));
    await moments.close();
    assert.equal((await facts()).flatMap(idsIn), [next]);
  });
});
