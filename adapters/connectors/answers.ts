import { fileURLToPath } from 'node:url';
import { PollFailed, partsOf, type PolledPage } from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import { EndedEarly, saidBy } from '../said-by.js';
import { answerOf, type Paths } from './answer.js';
import { MOST_AT_ONCE, type Order, type Said } from './answer-messages.js';

const SCRIPT = fileURLToPath(new URL('./answer-process.js', import.meta.url));
/** Parsed, 20 MB of tiny values take half of it. */
const MEMORY_MB = 1_024;

export type AnswerRead = {
  readonly next: Cursor;
  readonly parts: PolledPage['parts'];
  /** Whoever leaves it before its end ends the work on it. */
  readonly close: () => Promise<void>;
};

/**
 * An answer of JSON: its items in parts, and where to go on. What would hold up the event loop is taken apart
 * in a process of its own. @throws PollFailed
 */
export async function answerIn(body: Buffer, paths: Paths, signal: AbortSignal): Promise<AnswerRead> {
  if (body.length > MOST_AT_ONCE) return apart(body, paths, signal);
  const { items, next } = answerOf(body, paths);
  return {
    ...{ next, parts: partsOf(items) },
    async close() {
      items.length = 0;
    },
  };
}

async function apart(body: Buffer, paths: Paths, signal: AbortSignal): Promise<AnswerRead> {
  let more = (): void => undefined;
  const words = heard({ paths }, body, signal, ask => (more = ask));
  const close = async (): Promise<void> => {
    await words.return(undefined);
  };
  const first = await words.next();
  if (first.done || !('next' in first.value))
    throw new Error('a process that took an answer apart said nothing');
  async function* parts(): AsyncGenerator<readonly unknown[]> {
    for (;;) {
      const { value: said, done } = await words.next();
      if (done || !('part' in said)) return;
      yield JSON.parse(said.part) as readonly unknown[];
      more();
    }
  }
  return { next: first.value.next, parts: parts(), close };
}

async function* heard(
  order: Order,
  input: Buffer,
  signal: AbortSignal,
  asking: (more: () => void) => void,
): AsyncGenerator<Said> {
  const telling = { script: SCRIPT, order, memoryMb: MEMORY_MB, signal, input, asking };
  try {
    for await (const said of saidBy<Order, Said>(telling)) {
      if ('refused' in said) throw new PollFailed(...said.refused);
      if ('failed' in said) throw new Error(`an answer could not be taken apart: ${said.failed}`);
      yield said;
      if ('ended' in said) return;
    }
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error;
    if (error.isFull) throw new PollFailed('too_large', 'The answer takes too much memory to read');
    throw new Error(`a process that took an answer apart ended (${error.message})`);
  }
}
