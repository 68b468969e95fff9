import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { handler, loader } from '../../commands/engine/handle.js';
import { events } from '../../domain/events/decider.js';
import { neutralScores } from '../../domain/events/numeric.js';
import type { Scorer } from '../../domain/events/scoring.js';
import { DAY } from '../../domain/time.js';
import { rescoring, type RescoreProgress } from '../../workers/rescoring.js';
import { plainScorer, rankOf, world } from '../projections/world.js';
import { suite } from '../suite.js';

/** A later version that ranks everything one higher. */
const next: Scorer = {
  ...plainScorer,
  version: 'plain-2',
  async score(input) {
    const { scores, reasons } = await plainScorer.score(input);
    return { scores: { ...scores, rank: scores.rank + 1 }, reasons, version: 'plain-2' };
  },
};
const TEXTS = Array.from({ length: 300 }, (_, i) => `Text number ${i}`);

async function scoredWorld() {
  const w = await world();
  const record = (workspace: string, text: string, occurredAt: number) =>
    w.commands.record(workspace, { key: 'news', text, occurredAt, details: {} }, w.context(workspace));
  for (const [i, text] of [...TEXTS, '42'].entries())
    await record(`w${i % 2}`, text, w.clock.now - (TEXTS.length - i) * DAY);
  await w.score();
  await w.project(1_000);
  const handle = handler(w.store, randomUUID);
  const rescored = async (
    scorer: Scorer,
    signal = new AbortController().signal,
  ): Promise<RescoreProgress[]> => {
    const steps: RescoreProgress[] = [];
    const failures: string[] = [];
    const means = {
      failed: (eventId: string) => void failures.push(eventId),
      queries: w.queries,
      handle,
      load: loader(w.store),
      contextOf: w.context,
      concurrency: 16,
      signal,
    };
    const profileOf = async () => ({ version: '', description: '', phrases: [] });
    for await (const step of rescoring({ ...means, scorer, profileOf })) steps.push(step);
    await w.project(1_000);
    return steps;
  };
  return { ...w, record, handle, rescored };
}

suite('rescoring', test => {
  test('every event gets scores of the new version as a new fact; numeric content does not', async () => {
    const w = await scoredWorld();
    const facts = (await w.store.page(-1, 100_000)).length;
    const last = (await w.rescored(next)).at(-1)!;
    assert.equal([last.seen, last.rescored], [TEXTS.length + 1, TEXTS.length]);
    assert.is((await w.store.page(-1, 100_000)).length, facts + TEXTS.length);
    const { events } = await w.queries.streamPage('w0', 'news', 1_000, null, null);
    assert.is(events.length, TEXTS.length / 2 + 1);
    for (const { text, scores, score_version, status } of events.filter(event => event.text !== '42'))
      assert.equal([scores?.rank, score_version, status], [rankOf(text) + 1, 'plain-2', 'scored']);
    assert.is(events.find(({ text }) => text === '42')?.score_version, 'numeric-1');
    assert.equal(await w.queries.totals().then(({ count, pending }) => [count, pending]), [
      TEXTS.length + 1,
      0,
    ]);
  });
  test('novelty stays as it was, and comes to events that were scored without it', async () => {
    const w = await scoredWorld();
    const handle = w.handle;
    const novelty = async () => {
      const { events: all } = await w.queries.streamPage('w1', 'news', 1_000, null, null);
      return all.map(({ scores }) => scores!.novelty).toReversed();
    };
    // The first of the stream; then "text number" was there, a number was not
    const before = await novelty();
    assert.equal(before, [1, ...Array(before.length - 1).fill(0.5)]);
    // Recorded after all others it stands between two of them in time; and it was scored by a platform of old
    const { eventId } = await w.record('w1', 'Text number 279 and number 281', w.clock.now - 20 * DAY);
    const old = { workspace: 'w1', eventId, asked: 0, scores: neutralScores(), reasons: [], version: 'old' };
    await handle(events, { type: 'ScoreEvent', data: old }, w.context('w1'));
    await w.project();
    assert.is((await w.queries.event('w1', eventId))!.scores!.novelty, undefined);
    await w.rescored(next);
    // Ten events occur after it: to them it is not recent, nor are they to it
    assert.equal(await novelty(), [...before.slice(0, -10), 0.6, ...before.slice(-10)]);
  });
  test('the same version again writes nothing', async () => {
    const w = await scoredWorld();
    await w.rescored(next);
    const facts = (await w.store.page(-1, 100_000)).length;
    assert.is((await w.rescored(next)).at(-1)!.rescored, 0);
    assert.is((await w.store.page(-1, 100_000)).length, facts);
  });
  test('broken off, it goes on where it was', async () => {
    const w = await scoredWorld();
    const stop = new AbortController();
    let scored = 0;
    const halting: Scorer = {
      ...next,
      score(input) {
        if (++scored === 100) stop.abort();
        return next.score(input);
      },
    };
    const first = (await w.rescored(halting, stop.signal)).at(-1)!.rescored;
    assert.ok(first >= 100 && first < 120, `${first}`);
    assert.is((await w.rescored(next)).at(-1)!.rescored, TEXTS.length - first);
  });
  test('events that cannot be scored hold up no others', async () => {
    const w = await scoredWorld();
    const broken: Scorer = {
      ...next,
      async score(input) {
        if (input.text === TEXTS[7]) throw new Error('broken');
        return next.score(input);
      },
    };
    const { seen, rescored, failed } = (await w.rescored(broken)).at(-1)!;
    assert.equal([seen, rescored, failed], [TEXTS.length + 1, TEXTS.length - 1, 1]);
    assert.is((await w.rescored(next)).at(-1)!.rescored, 1);
  });
  test('an event revised meanwhile is left to the reactor', async () => {
    const w = await scoredWorld();
    const [event] = (await w.queries.streamPage('w0', 'news', 1, null, null)).events;
    const slow: Scorer = {
      ...next,
      async score(input) {
        if (input.text === event!.text)
          await w.commands.revise('w0', event!.event_id, { value: 7 }, null, w.context('w0'));
        return next.score(input);
      },
    };
    assert.is((await w.rescored(slow)).at(-1)!.rescored, TEXTS.length - (event!.text === '42' ? 0 : 1));
  });
});
