import { PollFailed } from '../../commands/ingestion/connectors.js';
import { parseExactly } from '../../domain/exact-json.js';
import { itemsIn } from '../../domain/ingestion/items.js';
import { parsePath } from '../../domain/ingestion/paths.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';

/** Where the items, and the place to go on from, stand in an answer; null: see `Polling`, and nowhere. */
export type Paths = { readonly items: string | null; readonly cursor: string | null };
export type Answer = { readonly items: unknown[]; readonly next: Cursor };

/** A cursor goes into a URL and into facts. */
const LONGEST_CURSOR = 2_000;

/** An answer of JSON. @throws PollFailed */
export function answerOf(body: Buffer, paths: Paths): Answer {
  const answer = jsonIn(body);
  const list = paths.items === null ? null : parsePath(paths.items);
  return { items: itemsIn(answer, { list }) as unknown[], next: cursorIn(answer, paths.cursor) };
}

function cursorIn(answer: unknown, path: string | null): Cursor {
  const found = path === null ? null : parsePath(path)(answer);
  if (typeof found !== 'string' && typeof found !== 'number') return null;
  if (found === '' || String(found).length > LONGEST_CURSOR) return null;
  return found;
}

function jsonIn(body: Buffer): unknown {
  // Nothing new, as many say
  if (body.length === 0) return null;
  try {
    return parseExactly(body.toString());
  } catch {
    throw new PollFailed('invalid_json', 'The answer is not valid JSON');
  }
}
