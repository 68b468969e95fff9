import * as assert from 'uvu/assert';
import { withMade } from '../../areas/made-in-service.js';
import type { ModelRef } from '../../domain/models/hosted.js';
import type { MadeModel, MadeModels } from '../../domain/models/made.js';
import { suite } from '../suite.js';

suite('models that were made, in service', test => {
  const ref = (slug: string): ModelRef => ({ family: 'trained', slug });
  const foundation = { all: async () => [], byUid: async () => null, find: async () => null };
  function world() {
    const read: string[] = [];
    let inService: readonly ModelRef[] = [];
    const gone = new Set<string>();
    const lost = new Set<string>();
    const find = async ({ family, slug }: ModelRef) => {
      read.push(slug);
      if (lost.has(slug)) return { family, slug, lost: 'its file' } as MadeModel;
      return gone.has(slug) ? null : ({ family, slug } as MadeModel);
    };
    let changes = 0;
    let looks = 0;
    let now = 0;
    const queries = {
      lastChange: async () => String(changes),
      madeInService: async () => {
        looks++;
        return [...inService];
      },
    };
    const hosted = withMade(foundation, { find } as MadeModels, queries, () => now);
    const slugs = async (): Promise<string[]> => (await hosted.all()).map(({ slug }) => slug);
    const serves = (...all: readonly string[]): void => {
      inService = all.map(ref);
      changes++;
    };
    const pass = (ms: number): void => {
      now += ms;
    };
    return { hosted, read, gone, lost, slugs, serves, pass, looks: () => looks };
  }

  test('each is read once, however often they are looked through', async () => {
    const { hosted, read, slugs, serves } = world();
    serves('a', 'b');
    for (let i = 0; i < 3; i++) assert.equal(await slugs(), ['a', 'b']);
    assert.is((await hosted.find(ref('a')))?.slug, 'a');
    assert.equal(read, ['a', 'b']);
    serves('b', 'c');
    assert.equal(
      [await slugs(), read],
      [
        ['b', 'c'],
        ['a', 'b', 'c'],
      ],
    );
  });

  test('deployments are looked through after a change, and else now and then', async () => {
    const { slugs, serves, pass, looks } = world();
    serves('a');
    for (let i = 0; i < 5; i++) assert.equal(await slugs(), ['a']);
    assert.is(looks(), 1);
    serves('a', 'b');
    assert.equal([await slugs(), looks()], [['a', 'b'], 2]);
    pass(10_001);
    assert.equal([await slugs(), looks()], [['a', 'b'], 3]);
  });

  test('what goes out of service is kept no longer, and what was not there is looked for again', async () => {
    const { hosted, read, gone, slugs, serves } = world();
    serves('a');
    gone.add('a');
    assert.equal(await slugs(), []);
    gone.delete('a');
    assert.equal(await slugs(), ['a']);
    serves();
    assert.equal(await slugs(), []);
    await hosted.find(ref('a'));
    assert.equal(read, ['a', 'a', 'a']);
  });

  test('one whose file is lost is among them, and looked for at each look', async () => {
    const { hosted, read, lost, slugs, serves, pass } = world();
    serves('a');
    lost.add('a');
    for (let i = 0; i < 5; i++) assert.equal(await slugs(), ['a']);
    assert.equal(read, ['a']);
    assert.is((await hosted.find(ref('a')))?.lost, 'its file');
    lost.delete('a');
    assert.is((await hosted.find(ref('a')))?.lost, undefined, 'who asks for it by name has it at once');
    pass(10_001);
    assert.is((await hosted.all())[0]?.lost, undefined);
    await hosted.find(ref('a'));
    assert.equal(read, ['a', 'a', 'a', 'a']);
    lost.add('b');
    serves('a', 'b');
    assert.is((await hosted.all())[1]?.lost, 'its file');
    lost.delete('b');
    serves('a', 'b');
    assert.is((await hosted.all())[1]?.lost, undefined, 'a deployment that is retried has it at once');
  });
});
