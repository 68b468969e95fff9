import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { ITEMS_A_PART, PollFailed } from '../../commands/ingestion/connectors.js';
import { atCall } from '../at-call.js';
import { answerOf } from './answer.js';
import { AHEAD, MOST_AT_ONCE, type Order, type Said } from './answer-messages.js';

/** Letters of JSON that make a part, more or less. */
const LETTERS_A_PART = 131_072;

/** The process that takes one large answer apart, and gives its items in parts that are quickly parsed. */
const room = atCall(AHEAD, (order: Order) => work(order).catch(error => say(faultOf(error))));

const say = (said: Said): Promise<void> =>
  new Promise(resolve => {
    process.send!(said, () => resolve());
  });

async function work({ paths }: Order): Promise<void> {
  const { items, next } = answerOf(await buffer(process.stdin), paths);
  await say({ next });
  for (const part of partsIn(items)) {
    await room();
    await say({ part });
  }
  await say({ ended: true });
}

/** @throws PollFailed where one item alone is too large */
function* partsIn(items: readonly unknown[]): Iterable<string> {
  let texts: string[] = [];
  let letters = 0;
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item);
    if (text.length > MOST_AT_ONCE)
      throw new PollFailed('too_large', `Item ${index} of the answer has more than ${MOST_AT_ONCE} bytes`);
    texts.push(text);
    letters += text.length;
    if (texts.length < ITEMS_A_PART && letters < LETTERS_A_PART) continue;
    yield `[${texts.join()}]`;
    texts = [];
    letters = 0;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}

const faultOf = (error: unknown): Said =>
  error instanceof PollFailed
    ? { refused: [error.code, error.message] }
    : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };

try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  /* not allowed here: the work is done all the same */
}
