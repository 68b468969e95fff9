import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Doc, ReadModels, Stored } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { signalDirectories } from '../../projections/signals/directory.js';
import { suite } from '../suite.js';
import { aPush, signalsWorld } from './signals-world.js';

/** Counts the documents of signals that are read; can hold the checkpoint back, as in a half-written page. */
function watched(models: ReadModels) {
  const seen = { docs: 0, behind: 0 };
  const counted: ReadModels = {
    ...models,
    async find<D extends Doc>(collection: string, query: Parameters<ReadModels['find']>[1]) {
      const found: Stored<D>[] = await models.find<D>(collection, query);
      if (/^signals_v/.test(collection)) seen.docs += found.length;
      return found;
    },
    checkpoint: async name => (await models.checkpoint(name)) - seen.behind,
  };
  return { seen, models: counted };
}

async function searched(most?: number) {
  const store = memoryReadModels();
  const { seen, models } = watched(store);
  const { commands, context, project, projection } = await signalsWorld({ models: store });
  const { matching } = signalDirectories(
    reader(models, projection, () => 0),
    most,
  );
  const push = async (...keys: string[]) => {
    await commands.push(
      'w',
      keys.map(key => aPush(key, [[Math.random() * 1e9, 1]])),
      context('w'),
    );
    await project();
  };
  return {
    seen,
    push,
    commands,
    context,
    project,
    /** What is found, and how many documents of signals were read for it. */
    async search(search: string | null): Promise<[string[], number]> {
      const before = seen.docs;
      const keys = await matching('w', { group: null, origin: null, search });
      return [keys.sort(), seen.docs - before];
    },
  };
}

suite('the directory of signals', test => {
  test('reads every signal once; new points of them change nothing', async () => {
    const { push, search } = await searched();
    await push('a', 'B', 'ab');
    assert.equal(await search('b'), [['B', 'ab'], 3]);
    await push('a', 'ab');
    assert.equal(await search('A'), [['a', 'ab'], 0]);
  });

  test('learns of new signals and of what is said of others by reading these alone', async () => {
    const { push, search, commands, context, project } = await searched();
    await push('a', 'b', 'c');
    await search(null);
    await push('d');
    assert.equal(await search(null), [['a', 'b', 'c', 'd'], 1]);
    await commands.name('w', 'b', 'Durst', context('w'));
    await project();
    assert.equal(await search('D'), [['b', 'd'], 1]);
  });

  test('forgets what has gone, also when something else came instead', async () => {
    const { push, search, commands, context, project } = await searched();
    await push('a', 'b');
    await search(null);
    await commands.delete('w', 'a', context('w'));
    await project();
    await push('c');
    assert.equal((await search(null))[0], ['b', 'c']);
  });

  test('finds what was hidden behind a half-written page as soon as that is whole', async () => {
    const { push, search, seen, commands, context, project } = await searched();
    await push('a', 'b');
    await search(null);
    await commands.delete('w', 'a', context('w'));
    await project();
    seen.behind = 1;
    await search(null);
    seen.behind = 0;
    assert.equal((await search(null))[0], ['b']);
  });

  test('holds no more than it may', async () => {
    const { push, search } = await searched(2);
    await push('a', 'b', 'c');
    assert.equal(await search('a'), [['a'], 3]);
    assert.equal(await search('a'), [['a'], 3]);
  });

  test('answers many who ask at once, and each with what was there when it asked', async () => {
    const { push, search } = await searched();
    await push('a');
    const first = [search(null), search(null)];
    await push('b');
    const second = [search(null), search(null)];
    for (const [keys] of await Promise.all(first)) assert.ok(keys.includes('a'));
    for (const [keys] of await Promise.all(second)) assert.equal(keys, ['a', 'b']);
  });
});
