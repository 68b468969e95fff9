import * as assert from 'uvu/assert';
import { heldBytes } from '../../adapters/connectors/held-bytes.js';
import { restPoll } from '../../adapters/connectors/rest-poll.js';
import type { Outgoing } from '../../commands/ports/outgoing.js';
import { suite } from '../suite.js';

const MB = 1_048_576;
const config = { url: 'https://there.test/', cursor_path: 'next', cursor_param: 'after', max_pages: 3 };
const itemsOf = (body: unknown) => (body as { readonly items: readonly unknown[] }).items;

/** An address that always has a next page, each of so many bytes and some more. */
const there = (bytes: number): Pick<Outgoing, 'send' | 'refusal'> => {
  let next = 0;
  const page = () => JSON.stringify({ items: ['x'.repeat(bytes)], next: ++next });
  return { refusal: async () => null, send: async () => ({ status: 200, body: Buffer.from(page()) }) };
};

/** Runs at once, each of whose pages is held over rounds of the loop; the most that were held at once. */
async function mostHeld(runs: number, bytes: number): Promise<number> {
  const connector = restPoll(there(bytes), heldBytes(3 * MB));
  let [held, most, read] = [0, 0, 0];
  const run = async (): Promise<void> => {
    const { signal } = new AbortController();
    for await (const { items } of connector.pages({ config, cursor: null, pagesRead: 0, itemsOf, signal })) {
      most = Math.max(most, ++held);
      for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve));
      read += items.length;
      held--;
    }
  };
  await Promise.all(Array.from({ length: runs }, run));
  assert.is(read, runs * 3, 'every page of every run');
  return most;
}

suite('answers that are held at once', test => {
  test('are as many as their bytes allow, and one that is longer than all is held alone', async () => {
    assert.is(await mostHeld(8, 1.2 * MB), 2);
    assert.is(await mostHeld(4, 4 * MB), 1);
  });

  test('small ones wait for nobody', async () => {
    const held = heldBytes(MB);
    const { signal } = new AbortController();
    const letGo = await held(MB, signal);
    assert.is(await mostHeld(8, 1_000), 8);
    (await held(1_000, signal))();
    letGo();
  });

  test('who ends while it waits takes no room, and holds up nobody behind', async () => {
    const held = heldBytes(2 * MB);
    const { signal } = new AbortController();
    const ending = new AbortController();
    const first = await held(MB, signal);
    const large = held(2 * MB, ending.signal);
    const behind = held(MB, signal);
    ending.abort(new Error('cancelled'));
    assert.match(String(await large.catch((error: unknown) => error)), /cancelled/);
    (await behind)();
    first();
    (await held(2 * MB, signal))();
    assert.match(String(await held(MB, ending.signal).catch((error: unknown) => error)), /cancelled/);
  });

  test('a run that is left in the middle lets go of its page, and one that goes on empties it', async () => {
    const connector = restPoll(there(2 * MB), heldBytes(3 * MB));
    const asking = { config, cursor: null, pagesRead: 0, itemsOf, signal: new AbortController().signal };
    for await (const _ of connector.pages(asking)) break;
    const pages: (readonly unknown[])[] = [];
    for await (const { items } of connector.pages(asking)) pages.push(items);
    assert.equal(
      pages.map(({ length }) => length),
      [0, 0, 1],
    );
  });
});
