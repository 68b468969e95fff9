import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { handler, loader } from '../../commands/handle.js';
import type { Scorer } from '../../domain/scoring.js';
import { rescoring, type RescoreProgress } from '../../workers/rescoring.js';
import { plainScorer, rankOf, world } from '../projections/world.js';
import { suite } from '../suite.js';

/** A later version that ranks everything one higher. */
const next: Scorer = {
  ...plainScorer, version: 'plain-2',
  async score(input) {
    const { scores, reasons } = await plainScorer.score(input);
    return { scores: { ...scores, rank: scores.rank + 1 }, reasons, version: 'plain-2' };
  },
};
const TEXTS = Array.from({ length: 600 }, (_, i) => `Text ${i}`);

async function scoredWorld() {
  const w = await world();
  for (const [i, text] of [...TEXTS, '42'].entries())
    await w.commands.record(`w${i % 2}`, { key: 'news', text, occurredAt: w.clock.now, details: {} }, w.context(`w${i % 2}`));
  await w.score();
  await w.project(1_000);
  const handle = handler(w.store, randomUUID);
  const rescored = async (scorer: Scorer, signal = new AbortController().signal): Promise<RescoreProgress[]> => {
    const steps: RescoreProgress[] = [];
    const means = { queries: w.queries, handle, load: loader(w.store), contextOf: w.context, concurrency: 16, signal };
    const profileOf = async () => ({ version: '', description: '', phrases: [] });
    for await (const step of rescoring({ ...means, scorer, profileOf })) steps.push(step);
    await w.project(1_000);
    return steps;
  };
  return { ...w, rescored };
}

suite('rescoring', test => {
  test('every event gets scores of the new version as a new fact; numeric content does not', async () => {
    const w = await scoredWorld();
    const facts = (await w.store.page(-1, 100_000)).length;
    const last = (await w.rescored(next)).at(-1)!;
    assert.equal([last.seen, last.rescored], [TEXTS.length + 1, TEXTS.length]);
    assert.is((await w.store.page(-1, 100_000)).length, facts + TEXTS.length);
    const { events } = await w.queries.streamPage('w0', 'news', 1_000, null, null);
    assert.is(events.length, 301);
    for (const { text, scores, score_version, status } of events.filter(event => event.text !== '42'))
      assert.equal([scores?.rank, score_version, status], [rankOf(text) + 1, 'plain-2', 'scored']);
    assert.is(events.find(({ text }) => text === '42')?.score_version, 'numeric-1');
    assert.equal(await w.queries.totals().then(({ count, pending }) => [count, pending]), [601, 0]);
  });
  test('the same version again writes nothing', async () => {
    const w = await scoredWorld();
    await w.rescored(next);
    const facts = (await w.store.page(-1, 100_000)).length;
    assert.is((await w.rescored(next)).at(-1)!.rescored, 0);
    assert.is((await w.store.page(-1, 100_000)).length, facts);
  });
  test('broken off, it goes on where it was', async () => {
    const w = await scoredWorld(), stop = new AbortController();
    let scored = 0;
    const halting: Scorer = { ...next, score(input) {
      if (++scored === 100) stop.abort();
      return next.score(input);
    } };
    const first = (await w.rescored(halting, stop.signal)).at(-1)!.rescored;
    assert.ok(first >= 100 && first < 120, `${first}`);
    assert.is((await w.rescored(next)).at(-1)!.rescored, TEXTS.length - first);
  });
  test('an event revised meanwhile is left to the reactor', async () => {
    const w = await scoredWorld();
    const [event] = (await w.queries.streamPage('w0', 'news', 1, null, null)).events;
    const slow: Scorer = { ...next, async score(input) {
      if (input.text === event!.text) await w.commands.revise('w0', event!.event_id, { value: 7 }, null, w.context('w0'));
      return next.score(input);
    } };
    assert.is((await w.rescored(slow)).at(-1)!.rescored, TEXTS.length - (event!.text === '42' ? 0 : 1));
  });
});
