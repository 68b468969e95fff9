import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { handler, loader } from '../../commands/engine/handle.js';
import type { Scorer } from '../../domain/events/scoring.js';
import { scoring } from '../../workers/scoring.js';
import { plainScorer, quiet, rankOf, world } from '../projections/world.js';
import { suite } from '../suite.js';

const profileOf = async () => ({ version: '', description: '', phrases: [] });
const STORY = 'Strike closes the port';

async function stand() {
  const w = await world();
  const means = { handle: handler(w.store, randomUUID), load: loader(w.store) };
  for (const occurredAt of [w.clock.now - 1, w.clock.now])
    await w.commands.record('w', { key: 'news', text: STORY, occurredAt, details: {} }, w.context('w'));
  const scored = async () =>
    (await w.store.page(-1, 100))
      .filter(({ type }) => type === 'EventScored')
      .map(({ data }) => data as { scores: object; version: string });
  /** Answers the facts of both events. */
  const run = async (scorer: Scorer, caughtUp: (position: number) => Promise<boolean>) => {
    const reactor = scoring({
      scorer,
      profileOf,
      queries: w.queries,
      caughtUp,
      log: quiet,
      concurrency: 1,
      pauses: [],
    });
    for (const fact of await w.store.page(-1, 2))
      await reactor.on[fact.type]!(fact as never, w.context('w'), means);
  };
  return { ...w, run, scored };
}

suite('scoring', test => {
  test('fails while the read models lack what was recorded, and is right when it is done again', async () => {
    const { run, scored, project, store } = await stand();
    const asked: number[] = [];
    await run(plainScorer, async position => {
      asked.push(position);
      return false;
    }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /read models/),
    );
    assert.equal(await scored(), []);
    const [first, second] = await store.page(-1, 2);
    await run(plainScorer, async position => {
      asked.push(position);
      await project();
      return true;
    });
    assert.equal(asked, [first!.position, first!.position, second!.position]);
    const scores = {
      sentiment: 'neutral',
      polarity: 0,
      importance: 0,
      relevance: 0,
      impact: 0,
      rank: rankOf(STORY),
    };
    assert.equal(
      (await scored()).map(data => data.scores),
      [
        { ...scores, novelty: 1 },
        { ...scores, novelty: 0 },
      ],
    );
  });

  test('knows how new a text is also when the scorer fails', async () => {
    const { run, scored, project } = await stand();
    const broken: Scorer = { ...plainScorer, score: () => Promise.reject(new Error('broken')) };
    await run(broken, async () => {
      await project();
      return true;
    });
    assert.equal(
      (await scored()).map(({ scores, version }) => [(scores as { novelty: number }).novelty, version]),
      [
        [1, 'plain-1+fallback'],
        [0, 'plain-1+fallback'],
      ],
    );
  });
});
