import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { handler, loader } from '../../commands/engine/handle.js';
import type { Scorer } from '../../domain/events/scoring.js';
import { latecomers } from '../../workers/latecomers.js';
import { scoring } from '../../workers/scoring.js';
import { peopleOf } from '../people.js';
import { send, startPlatform, temporaryFolder, until } from '../platform.js';
import { plainScorer, quiet, world } from '../projections/world.js';
import { suite } from '../suite.js';

const profileOf = async () => ({ version: '', description: '', phrases: [] });

/** A hundred texts of one workspace, then one of another, and who looks ahead of a reactor that stands. */
async function behindAHundred(scorer: Scorer) {
  const w = await world();
  const record = (workspace: string, text: string) =>
    w.commands.record(workspace, { key: 'k', text, occurredAt: null, details: {} }, w.context(workspace));
  for (let nth = 0; nth < 100; nth++) await record('big', `text ${nth}`);
  await record('small', 'a text');
  await w.project();
  const deps = { handle: handler(w.store, randomUUID), load: loader(w.store) };
  const reactor = scoring({
    ...{ scorer, profileOf, queries: w.queries, log: quiet, concurrency: 1, pauses: [] },
    caughtUp: async () => true,
  });
  const scored = async () =>
    (await w.store.page(-1, 1_000))
      .filter(({ type }) => type === 'EventScored')
      .map(({ meta }) => meta.workspace);
  const start = () =>
    latecomers({
      ...{ reactor, deps, queries: w.queries, store: w.store, models: w.models, log: quiet },
      clock: () => w.clock.now,
      concurrency: 1,
    });
  return { ...w, reactor, deps, scored, start };
}

suite('latecomers', test => {
  test('each workspace has its turn, however many wait before it', async () => {
    const { scored, start } = await behindAHundred(plainScorer);
    const running = start();
    await until(async () => (await scored()).length > 2, 'scores');
    await running.stop();
    assert.equal((await scored()).slice(0, 3), ['big', 'small', 'big']);
  });

  test('what the reactor is at already is not done twice, and both know when it is done', async () => {
    const seen: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const w = await behindAHundred({
      ...plainScorer,
      score: async input => {
        seen.push(input.text);
        await held;
        return plainScorer.score(input);
      },
    });
    const [first] = await w.store.page(-1, 1);
    const answer = () => w.reactor.on[first!.type]!(first as never, w.context('big'), w.deps);
    const both = [answer(), answer()];
    const running = w.start();
    await until(async () => seen.length > 0, 'the scorer');
    release();
    await Promise.all(both);
    await until(async () => (await w.scored()).includes('small'), 'the score of the small one');
    await running.stop();
    assert.is(seen.filter(text => text === 'text 0').length, 1);
  });

  test('what fails ahead of its place stops nobody', async () => {
    const w = await behindAHundred(plainScorer);
    const { handle: real } = w.deps;
    let refusals = 0;
    const handle: typeof real = async (decider, command, ...rest) => {
      if ((command.data as { workspace: string }).workspace === 'big') {
        refusals++;
        throw new Error('broken');
      }
      return real(decider, command, ...rest);
    };
    Object.assign(w.deps, { ...w.deps, handle });
    const running = w.start();
    await until(async () => (await w.scored()).length > 0, 'a score');
    await running.stop();
    assert.equal(await w.scored(), ['small']);
    assert.ok(refusals > 0);
  });

  test('on a platform one text is scored long before the thousand that were there first', async () => {
    const folder = temporaryFolder();
    const before = await startPlatform(folder.path, { running: ['api', 'projections'] });
    const quietOne = await peopleOf(before.platform).tenant('quiet@example.org');
    const texts = (from: number) =>
      Array.from({ length: 500 }, (_, i) => ({ key: 'news', text: `Storm ${from + i} closes the port` }));
    for (const from of [0, 500])
      await before.call('POST', '/v1/event/record-batch', { body: { events: texts(from) } });
    const body = { key: 'news', text: 'Ministers meet in Lisbon' };
    await send(before.base, 'POST', '/v1/event/record', quietOne, { body });
    await before.stop();

    const after = await startPlatform(folder.path, { installed: before.installed });
    const scored = async () =>
      (await after.platform.stores.events.page(-1, 10_000)).filter(({ type }) => type === 'EventScored');
    const place = await until(async () => {
      const found = (await scored()).findIndex(({ meta }) => meta.workspace === quietOne.workspaceId);
      return found >= 0 && { found };
    }, 'the score of the quiet one');
    await after.stop();
    folder.remove();
    assert.ok(place.found < 500, `${place.found} were scored before it`);
  });
});
