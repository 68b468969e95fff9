import * as assert from 'uvu/assert';
import { heldBytes } from '../../adapters/connectors/held-bytes.js';
import { restPoll } from '../../adapters/connectors/rest-poll.js';
import type { PolledPage } from '../../commands/ingestion/connectors.js';
import type { Outgoing } from '../../commands/ports/outgoing.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

const MB = 1_048_576;
const config = { url: 'https://there.test/', cursor_path: 'next', cursor_param: 'after', max_pages: 2 };
const polling = { config, cursor: null, pagesRead: 0, itemsPath: 'items' };
const LETTERS = 1_000;

/** An address that always has a next page, each of about so many bytes. */
const there = (bytes: number): Pick<Outgoing, 'send' | 'refusal'> => {
  let next = 0;
  const page = () =>
    JSON.stringify({ items: Array(Math.ceil(bytes / LETTERS)).fill('x'.repeat(LETTERS)), next: ++next });
  return { refusal: async () => null, send: async () => ({ status: 200, body: Buffer.from(page()) }) };
};

/**
 * Runs at once, the first pages of which are held until as many are as should be, and then over rounds of the
 * loop in which more could come; the most that were held at once.
 */
async function mostHeld(runs: number, bytes: number, expected: number): Promise<number> {
  const connector = restPoll(there(bytes), heldBytes(3 * MB));
  let [held, most, read] = [0, 0, 0];
  const run = async (): Promise<void> => {
    const { signal } = new AbortController();
    for await (const { parts } of connector.pages({ ...polling, signal })) {
      most = Math.max(most, ++held);
      await until(async () => most >= expected, `${expected} pages being held at once`);
      for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve));
      for await (const items of parts) read += items.length;
      held--;
    }
  };
  await Promise.all(Array.from({ length: runs }, run));
  assert.is(read, runs * 2 * Math.ceil(bytes / LETTERS), 'every page of every run');
  return most;
}

suite('answers that are held at once', test => {
  test('are as many as their bytes allow, and one that is longer than all is held alone', async () => {
    assert.is(await mostHeld(4, 1.2 * MB, 2), 2);
    assert.is(await mostHeld(2, 4 * MB, 1), 1);
  });

  test('small ones wait for nobody', async () => {
    const held = heldBytes(MB);
    const { signal } = new AbortController();
    const letGo = await held(MB, signal);
    assert.is(await mostHeld(8, 1_000, 8), 8);
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
    const asking = { ...polling, signal: new AbortController().signal };
    for (const bytes of [MB / 2, 2 * MB]) {
      const connector = restPoll(there(bytes), heldBytes(3 * MB));
      for await (const _ of connector.pages(asking)) break;
      for await (const { parts } of connector.pages(asking)) {
        for await (const _ of parts) break;
        break;
      }
      const pages: PolledPage[] = [];
      for await (const page of connector.pages(asking)) pages.push(page);
      const left: number[] = [];
      for (const { parts } of pages) for await (const items of parts) left.push(items.length);
      assert.equal(left, []);
    }
  });
});
