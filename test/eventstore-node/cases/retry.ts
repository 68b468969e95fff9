// The same event ids again: what counts as a retry, what is written a second time, what is refused.
import type { AppendExpectedRevision, EventData } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import {
  append,
  collect,
  count,
  event,
  events,
  isOk,
  overBothPaths,
  read,
  readTypes,
  type Case,
  type Cases,
} from './tools.js';

/** Stored, at which expectation, appended again, at which expectation. */
type Words = [string, AppendExpectedRevision, string, AppendExpectedRevision];

/** Appends the events of one word, then those of another; each letter is one event with one id. */
const spelled =
  ([first, firstExpected, second, secondExpected]: Words): Case =>
  async (client, freshName) => {
    const stream = freshName();
    const letters: Record<string, EventData> = { a: event('a'), b: event('b'), c: event('c') };
    const spell = (word: string): EventData[] => [...word].map(letter => letters[letter]!);
    await append(client, stream, spell(first), firstExpected);
    return {
      second: await append(client, stream, spell(second), secondExpected),
      stream: await readTypes(client, stream),
    };
  };

const WORDS: Words[] = [
  ['a', 'no_stream', 'a', 'no_stream'],
  ['a', 'no_stream', 'a', 'any'],
  ['a', 'no_stream', 'a', 'stream_exists'],
  ['a', 'any', 'a', 'any'],
  ['a', 'any', 'a', 0n],
  ['a', 'any', 'b', 0n],
  ['ab', 'no_stream', 'abc', 'no_stream'],
  ['ab', 'any', 'abc', 'any'],
  ['ab', 'any', 'abc', 'stream_exists'],
  ['ab', 'any', 'bc', 'any'],
  ['ab', 'any', 'bc', 0n],
  ['ab', 'any', 'bc', 1n],
  ['ab', 'no_stream', 'ba', 'no_stream'],
  ['ab', 'any', 'ba', 'any'],
  ['ab', 'any', 'cab', 'any'],
  ['ab', 'any', 'ca', 1n],
  ['abc', 'no_stream', 'ab', 'no_stream'],
  ['abc', 'any', 'ab', 'any'],
  ['abc', 'no_stream', 'bc', 0n],
  ['abc', 'no_stream', 'bc', 'any'],
  ['abc', 'no_stream', 'ac', 'no_stream'],
  ['abc', 'any', 'ac', 'any'],
  ['abc', 'any', 'ca', 'any'], // the real node never answers
];

const words: Cases = Object.fromEntries(
  WORDS.map(line => {
    const [first, firstExpected, second, secondExpected] = line;
    return [`${first}_at_${firstExpected}_then_${second}_at_${secondExpected}`, spelled(line)];
  }),
);

export const retryCases: Cases = {
  ...words,

  async at_the_same_exact_revision(client, freshName) {
    const stream = freshName();
    const again = event();
    await append(client, stream, events(2), 'no_stream');
    return {
      first: await append(client, stream, again, 1n),
      retry: await append(client, stream, again, 1n),
      atTheNextRevision: await append(client, stream, again, 2n),
      then: await count(client, stream),
    };
  },

  async after_the_stream_moved_on(client, freshName) {
    const stream = freshName();
    const first = events(3);
    const later = events(2);
    await append(client, stream, first, 'no_stream');
    await append(client, stream, events(2), 2n);
    await append(client, stream, later, 4n);
    await append(client, stream, events(300), 6n);
    const retry = (what: EventData[], expected: AppendExpectedRevision): Promise<unknown> =>
      append(client, stream, what, expected);
    return {
      first_no_stream: await retry(first, 'no_stream'),
      first_any: await retry(first, 'any'),
      first_stream_exists: await retry(first, 'stream_exists'),
      later_exact: await retry(later, 4n),
      later_any: await retry(later, 'any'),
      later_stream_exists: await retry(later, 'stream_exists'),
      later_one_too_high: await retry(later, 5n),
      later_one_too_low: await retry(later, 3n),
      then: await count(client, stream),
    };
  },

  async over_both_paths(client, freshName) {
    return overBothPaths(async options => {
      const stream = freshName();
      const again = events(2);
      return {
        first: await append(client, stream, again, 'no_stream', options),
        no_stream: await append(client, stream, again, 'no_stream', options),
        any: await append(client, stream, again, 'any', options),
        stream_exists: await append(client, stream, again, 'stream_exists', options),
        then: await count(client, stream),
      };
    });
  },

  async position_is_that_of_the_first(client, freshName) {
    const stream = freshName();
    const again = events(2);
    const first = await client.appendToStream(stream, again, { expectedRevision: 'no_stream' });
    await client.appendToStream(freshName(), event());
    const retry = await client.appendToStream(stream, again, { expectedRevision: 'no_stream' });
    return { same: first.position?.commit === retry.position?.commit };
  },

  async position_of_a_hidden_event(client, freshName) {
    const stream = freshName();
    const again = events(2);
    await append(client, stream, again, 'no_stream');
    await append(client, stream, events(3), 1n);
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    return {
      no_stream: await append(client, stream, again, 'no_stream'),
      any: await append(client, stream, again, 'any'),
    };
  },

  async after_a_soft_delete(client, freshName) {
    const stream = freshName();
    const again = events(2);
    await append(client, stream, again, 'no_stream');
    await client.deleteStream(stream);
    return { no_stream: await append(client, stream, again, 'no_stream'), read: await read(client, stream) };
  },

  async same_id_twice_in_one_append(client, freshName) {
    const stream = freshName();
    const one = event('a');
    return {
      append: await append(client, stream, [one, one], 'no_stream'),
      stream: await readTypes(client, stream),
    };
  },

  async same_id_other_content(client, freshName) {
    const stream = freshName();
    const id = randomUUID();
    await append(client, stream, event('a', { v: 1 }, { id }), 'no_stream');
    const other = event('b', { v: 2 }, { id });
    return {
      no_stream: await append(client, stream, other, 'no_stream'),
      any: await append(client, stream, other, 'any'),
      stored: await read(client, stream, {}, e => [e.type, e.data]),
      exact_fits: await append(client, stream, other, 0n),
      then: await count(client, stream),
    };
  },

  async same_id_in_a_second_stream(client, freshName) {
    const [first, second] = [freshName(), freshName()];
    const one = event();
    await append(client, first, one, 'no_stream');
    return {
      second: await append(client, second, one, 'any'),
      secondAgain: await append(client, second, one, 'any'),
      firstAgain: await append(client, first, one, 'any'),
      inFirst: await count(client, first),
      inSecond: await count(client, second),
    };
  },

  async among_several_with_any_in_flight(client, freshName) {
    const stream = freshName();
    const again = events(3);
    await append(client, stream, events(1));
    await Promise.all(again.map(one => append(client, stream, one, 'any')));
    const retries = await Promise.all(again.map(one => append(client, stream, one, 'any')));
    const stored = await collect(client.readStream(stream));
    return { ok: retries.filter(isOk).length, then: stored.length };
  },
};
