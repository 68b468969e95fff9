import * as assert from 'uvu/assert';
import { DAY } from '../../domain/time.js';
import { Awaited, type Place } from '../../workers/awaited.js';
import { suite } from '../suite.js';

const UNTIL = Date.UTC(2026, 0, 3);
const PLACE: Place = ['w', 'b'];
const nothing = async (): Promise<void> => undefined;

/** Documents that say which signals are awaited, by their names, and from when on. */
function documents(held: Record<string, number>) {
  const awaited = new Awaited({
    async *awaited() {
      yield Object.entries(held).map(([awaits, until]) => ({ awaits, until }));
    },
    firstUntil: async (workspace, key) => held[`${workspace}/${key}`] ?? null,
  });
  return { awaited, held };
}

suite('what is awaited', test => {
  test('is what the documents say at first, and all that was forecast since', async () => {
    const { awaited } = documents({ 'w/a': UNTIL });
    awaited.add({ workspace: 'w', key: 'b', until: UNTIL + DAY }, 7);
    awaited.add({ workspace: 'w', key: 'b', until: UNTIL - DAY }, 8);
    const from = (key: string) => awaited.from([['w', key]], nothing);
    assert.equal([await from('a'), await from('b'), await from('c')], [UNTIL, UNTIL - DAY, Infinity]);
    const entity: Place[] = [
      ['w', 'a__x'],
      ['w', 'a'],
    ];
    assert.is(await awaited.from(entity, nothing), UNTIL);
  });

  test('is forgotten once points of it were looked at and the documents name nobody', async () => {
    const { awaited, held } = documents({});
    awaited.add({ workspace: 'w', key: 'b', until: UNTIL }, 7);
    held['w/b'] = UNTIL + DAY;
    await awaited.looked([PLACE], 9);
    assert.equal([awaited.size, await awaited.from([PLACE], nothing)], [1, UNTIL + DAY]);
    delete held['w/b'];
    await awaited.looked([PLACE], 10);
    assert.is(awaited.size, 0);
  });

  test('a forecast that the documents may not hold yet is not forgotten', async () => {
    const { awaited } = documents({});
    await awaited.from([PLACE], nothing);
    awaited.add({ workspace: 'w', key: 'b', until: UNTIL }, 7);
    await awaited.looked([PLACE], 6);
    assert.is(await awaited.from([PLACE], nothing), UNTIL);
  });

  test('is read again where reading failed', async () => {
    const { awaited } = documents({ 'w/b': UNTIL });
    const behind = awaited.from([PLACE], () => Promise.reject(new Error('behind')));
    assert.is(await behind.catch((error: Error) => error.message), 'behind');
    assert.is(await awaited.from([PLACE], nothing), UNTIL);
  });
});
