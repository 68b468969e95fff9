import { MAX_APPEND_BYTES, MAX_APPEND_FACTS, TooLarge } from '../commands/ports/event-store.js';
import { START, type NewFact } from '../domain/fact.js';

const TYPE = /^[A-Z][A-Za-z]+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_JOURNAL = 1_000;

/**
 * The limits of the port, the same for every adapter: answers the data of an append as JSON, one text for
 * each fact. Throws `TooLarge` above 1,048,576 bytes of it and a `RangeError` for whatever else is outside
 * the rules.
 */
export const checkedAppend = (journal: string, expected: number, facts: readonly NewFact[]): string[] => {
  if (!isJournal(journal)) outside(`not the name of a journal: ${JSON.stringify(journal)}`);
  if (!Number.isSafeInteger(expected) || expected < START) outside(`not a revision: ${expected}`);
  if (facts.length < 1 || facts.length > MAX_APPEND_FACTS)
    outside(`${facts.length} facts in one append to ${journal}`);
  const data = facts.map(dataOf);
  const bytes = data.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_APPEND_BYTES) throw new TooLarge(journal, bytes);
  return data;
};

const dataOf = ({ type, id, at, data }: NewFact): string => {
  if (!TYPE.test(type)) outside(`not the type of a fact: ${JSON.stringify(type)}`);
  if (!UUID.test(id)) outside(`not the id of a fact, a UUID in lower case: ${JSON.stringify(id)}`);
  if (!Number.isSafeInteger(at)) outside(`not a time in whole milliseconds: ${at}`);
  const text = JSON.stringify(data) as string | undefined;
  return text ?? outside(`the data of ${type} ${id} is not JSON`);
};

const isJournal = (name: string): boolean =>
  name !== ''
  && name.length <= MAX_JOURNAL
  && !name.startsWith('$')
  && !name.includes('\0')
  && name.isWellFormed();

const outside = (what: string): never => {
  throw new RangeError(what);
};
