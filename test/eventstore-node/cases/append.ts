// Appends: expected revisions, empty appends, event ids, names and types, deadlines, positions.
import type { AppendExpectedRevision, EventData } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import {
  append,
  attempt,
  bytes,
  collect,
  count,
  describeSuccess,
  event,
  events,
  isOk,
  overBothPaths,
  read,
  within,
  type Case,
  type Cases,
} from './tools.js';

/** Appends one event at an expectation to a stream that holds `held` events, over both paths. */
const appendTo =
  (held: number, expected: AppendExpectedRevision): Case =>
  (client, freshName) =>
    overBothPaths(async options => {
      const stream = freshName();
      if (held) await append(client, stream, events(held), 'no_stream');
      return append(client, stream, event(), expected, options);
    });

const emptyAppendTo =
  (held: number, expected: AppendExpectedRevision): Case =>
  (client, freshName) =>
    overBothPaths(async options => {
      const stream = freshName();
      if (held) await append(client, stream, events(held), 'no_stream');
      return {
        append: await append(client, stream, [], expected, options),
        then: await count(client, stream),
      };
    });

const refusedEvent =
  (change: Partial<EventData>): Case =>
  (client, freshName) =>
    overBothPaths(async options => {
      const stream = freshName();
      return {
        append: await append(client, stream, { ...event(), ...change } as EventData, 'any', options),
        next: await append(client, stream, event(), 'any', options),
      };
    });

const named =
  (rename: (name: string) => string): Case =>
  async (client, freshName) => {
    const name = rename(freshName());
    return {
      append: await append(client, name, event()),
      read: await read(client, name, {}, e => ({ sameName: e.streamId === name })),
    };
  };

const typed =
  (type: string): Case =>
  async (client, freshName) => {
    const stream = freshName();
    return {
      append: await append(client, stream, event(type)),
      read: await read(client, stream, {}, e => ({ sameType: e.type === type })),
    };
  };

const sized =
  (size: number): Case =>
  (client, freshName) =>
    overBothPaths(options => append(client, freshName(), bytes(size), 'no_stream', options));

export const appendCases: Cases = {
  no_stream_on_new: appendTo(0, 'no_stream'),
  no_stream_on_existing: appendTo(2, 'no_stream'),
  any_on_new: appendTo(0, 'any'),
  any_on_existing: appendTo(2, 'any'),
  stream_exists_on_new: appendTo(0, 'stream_exists'),
  stream_exists_on_existing: appendTo(2, 'stream_exists'),
  exact_fits: appendTo(2, 1n),
  exact_too_low: appendTo(2, 0n),
  exact_too_high: appendTo(2, 7n),
  exact_on_new: appendTo(0, 0n),

  async one_of_64_at_the_same_revision_wins(client, freshName) {
    const stream = freshName();
    await append(client, stream, event(), 'no_stream');
    const answers = await Promise.all(Array.from({ length: 64 }, () => append(client, stream, event(), 0n)));
    return {
      ok: answers.filter(isOk).length,
      refused: answers.filter(answer => (answer as { error?: string }).error === 'WrongExpectedVersionError')
        .length,
      then: await count(client, stream),
    };
  },

  empty_no_stream_on_new: emptyAppendTo(0, 'no_stream'),
  empty_any_on_new: emptyAppendTo(0, 'any'),
  empty_stream_exists_on_new: emptyAppendTo(0, 'stream_exists'),
  empty_any_on_existing: emptyAppendTo(3, 'any'),
  empty_exact_fits: emptyAppendTo(3, 2n),
  empty_exact_too_low: emptyAppendTo(3, 1n),
  empty_exact_too_high: emptyAppendTo(3, 9n),
  empty_no_stream_on_existing: emptyAppendTo(3, 'no_stream'),

  /** With throwOnAppendFailure=false the batch path gives revision 1 whatever the truth. */
  async failure_not_thrown(_client, freshName, { connect }) {
    const other = connect('&throwOnAppendFailure=false');
    const answers = await overBothPaths(async options => {
      const stream = freshName();
      await append(other, stream, events(3), 'no_stream');
      const tryAt = (expectedRevision: AppendExpectedRevision): Promise<unknown> =>
        attempt(() =>
          other.appendToStream(stream, event(), { expectedRevision, ...options }).then(describeSuccess),
        );
      return { exact: await tryAt(0n), no_stream: await tryAt('no_stream') };
    });
    await other.dispose();
    return answers;
  },

  async positions(client, freshName) {
    const stream = freshName();
    const answer = await client.appendToStream(stream, events(3));
    const stored = (await collect(client.readStream(stream))).map(item => item.position!);
    const commits = stored.map(position => position.commit) as [bigint, bigint, bigint];
    return {
      answerIsLastEvent: answer.position?.commit === commits.at(-1),
      commitIsPrepare: [answer.position!, ...stored].every(p => p.commit === p.prepare),
      rising: commits[0] < commits[1] && commits[1] < commits[2],
      gaps: commits[1] - commits[0] > 1n && commits[2] - commits[1] > 1n,
    };
  },

  async read_your_writes(client, freshName) {
    const stream = freshName();
    const seen = { stream: 0, all: 0 };
    for (let i = 0; i < 50; i += 1) {
      const { position } = await client.appendToStream(stream, event());
      const newest = { direction: 'backwards', maxCount: 1 } as const;
      const [inAll] = await collect(client.readAll({ ...newest, fromPosition: 'end' }));
      const [inStream] = await collect(client.readStream(stream, { ...newest, fromRevision: 'end' }));
      if (inAll?.position?.commit === position?.commit) seen.all += 1;
      if (inStream?.revision === BigInt(i)) seen.stream += 1;
    }
    return seen;
  },

  id_not_a_uuid: refusedEvent({ id: 'not-a-uuid' }),
  id_all_zero: refusedEvent({ id: '00000000-0000-0000-0000-000000000000' }),
  type_empty: refusedEvent({ type: '' }),

  async id_in_upper_case(client, freshName) {
    const id = randomUUID();
    const stream = freshName();
    return {
      append: await append(client, stream, event('T', {}, { id: id.toUpperCase() })),
      read: await read(client, stream, {}, e => ({ lowerCase: e.id === id })),
    };
  },

  async bad_id_leaves_others_alone(client, freshName) {
    await append(client, freshName(), event()); // the connection is up: all go out together
    const others = [freshName(), freshName(), freshName()].map(stream => append(client, stream, event()));
    const bad = append(client, freshName(), { ...event(), id: 'not-a-uuid' } as EventData);
    return { bad: await bad, others: await Promise.all(others) };
  },

  async name_empty(client) {
    return {
      ...(await overBothPaths(options => append(client, '', event(), 'any', options))),
      read: await read(client, ''),
    };
  },
  name_starts_with_space: named(name => ` ${name}`),
  name_beyond_ascii: named(name => `${name}é😀`),
  name_with_newline: named(name => `${name}\n`),
  name_with_nul: named(name => `${name}\0x`),
  name_with_url_characters: named(name => `${name}/a?b#c%41@x`),
  name_of_1000: named(name => name + 'x'.repeat(1000)),
  name_of_70000: named(name => name + 'x'.repeat(70000)),
  name_starts_with_dollar: named(name => `$${name}`),
  name_is_a_metadata_stream: named(name => `$$${name}`),
  name_starts_with_four_dollars: named(name => `$$$$${name}`),
  name_with_lone_surrogate: named(name => `${name}\ud800`),

  type_beyond_ascii: typed('é😀'),
  type_starts_with_dollar: typed('$x'),
  type_of_a_link: typed('$>'),
  type_with_nul: typed('a\0b'),
  type_of_70000: typed('y'.repeat(70000)),

  async deadline_in_the_past(client, freshName) {
    return overBothPaths(async options => {
      const stream = freshName();
      return {
        append: await append(client, stream, event(), 'any', { deadline: -1000, ...options }),
        then: await count(client, stream),
      };
    });
  },

  async of_5000_events(client, freshName) {
    const stream = freshName();
    return {
      append: await append(client, stream, events(5000), 'no_stream'),
      then: await count(client, stream),
    };
  },

  async created_is_one_time_per_append(client, freshName) {
    const stream = freshName();
    const before = Date.now();
    await append(client, stream, events(500));
    const created = (await collect(client.readStream(stream))).map(e => e.created.getTime());
    return { different: new Set(created).size, serverTime: Math.abs(created[0]! - before) < 5000 };
  },

  // ---- size: only the data counts, 1 MiB per append; one message holds at most 16 MiB

  size_1_mib_less_1: sized(1048575),
  size_1_mib: sized(1048576),
  size_1_mib_and_1: sized(1048577),
  size_2_mib: sized(2097152),

  async size_is_the_sum_of_the_events(client, freshName) {
    return overBothPaths(async options => {
      const stream = freshName();
      return {
        append: await append(client, stream, [bytes(600000), bytes(600000)], 'no_stream', options),
        then: await count(client, stream),
      };
    });
  },

  async size_does_not_count_metadata_and_type(client, freshName) {
    const metadata = new Uint8Array(15 * 1048576);
    return {
      metadata: await append(client, freshName(), bytes(10, { metadata })),
      both: await append(client, freshName(), bytes(600000, { metadata: new Uint8Array(600000) })),
      type: await append(client, freshName(), bytes(10, { type: 'x'.repeat(1200000) })),
    };
  },

  async size_of_a_message_over_16_mib(client, freshName) {
    const metadata = new Uint8Array(17 * 1048576);
    return {
      metadata: await append(client, freshName(), bytes(10, { metadata })),
      next: await append(client, freshName(), event()),
      data: await append(client, freshName(), bytes(20 * 1048576)),
      nextAgain: await append(client, freshName(), event()),
    };
  },

  async size_of_several_messages_over_16_mib(client, freshName) {
    const metadata = new Uint8Array(2 * 1048576);
    const twelve = Array.from({ length: 12 }, () => bytes(10, { metadata }));
    return within(5, append(client, freshName(), twelve));
  },
};
