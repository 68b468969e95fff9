// Reads of one stream and of $all: directions, bounds, positions, refusals.
import type {
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  ResolvedEvent,
} from '@eventstore/db-client';
import {
  append,
  attempt,
  collect,
  count,
  events,
  read,
  sleep,
  within,
  type Case,
  type Cases,
} from './tools.js';

const BEYOND = 1n << 50n;

const readFive =
  (options: ReadStreamOptions): Case =>
  async (client, freshName) => {
    const stream = freshName();
    await append(client, stream, events(5), 'no_stream');
    return read(client, stream, options);
  };

const readMissing =
  (options: ReadStreamOptions): Case =>
  (client, freshName) =>
    read(client, freshName(), options);

type Positions = [Position, Position, Position, Position, Position];

/** Three events and two in one stream, the newest of all; `options` gets their positions. */
const readAll =
  (options: (positions: Positions) => ReadAllOptions): Case =>
  async (client, freshName) => {
    await append(client, freshName(), events(1));
    const stream = freshName();
    await append(client, stream, events(3));
    await append(client, stream, events(2));
    const positions = (await collect(client.readStream(stream))).map(item => item.position!) as Positions;
    const show = (e: RecordedEvent): unknown => (e.streamId === stream ? Number(e.revision) : 'other');
    return attempt(() =>
      within(
        3,
        collect(client.readAll(options(positions))).then(list => list.map(show)),
      ),
    );
  };

const shifted = ({ commit, prepare }: Position, byCommit: bigint, byPrepare: bigint): Position => ({
  commit: commit + byCommit,
  prepare: prepare + byPrepare,
});

const resolved = async (iterable: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> => {
  const list: ResolvedEvent[] = [];
  for await (const item of iterable) list.push(item);
  return list;
};

export const readCases: Cases = {
  stream_from_start: readFive({}),
  stream_max_2: readFive({ maxCount: 2 }),
  stream_max_0: readFive({ maxCount: 0 }),
  stream_from_2: readFive({ fromRevision: 2n }),
  stream_from_5_just_beyond: readFive({ fromRevision: 5n }),
  stream_from_99_beyond: readFive({ fromRevision: 99n }),
  stream_from_the_greatest_revision: readFive({ fromRevision: 9223372036854775807n }),
  stream_from_minus_1: readFive({ fromRevision: -1n }),
  stream_from_end: readFive({ fromRevision: 'end' }),
  stream_backwards: readFive({ direction: 'backwards' }),
  stream_backwards_from_end: readFive({ direction: 'backwards', fromRevision: 'end' }),
  stream_backwards_from_end_max_1: readFive({ direction: 'backwards', fromRevision: 'end', maxCount: 1 }),
  stream_backwards_from_2: readFive({ direction: 'backwards', fromRevision: 2n }),
  stream_backwards_from_99: readFive({ direction: 'backwards', fromRevision: 99n }),
  stream_backwards_from_start: readFive({ direction: 'backwards', fromRevision: 'start' }),

  missing_forwards: readMissing({}),
  missing_backwards: readMissing({ direction: 'backwards', fromRevision: 'end' }),
  missing_from_5: readMissing({ fromRevision: 5n }),
  missing_max_0: readMissing({ maxCount: 0 }),

  async missing_signals(client, freshName) {
    const signals: string[] = [];
    const reading = client.readStream(freshName());
    for (const name of ['data', 'confirmation', 'end', 'finish', 'close'] as const)
      reading.on(name, () => signals.push(name));
    reading.on('error', error => signals.push(`error ${error.constructor.name}`));
    await sleep(600);
    return signals;
  },

  async stream_left_early(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(300));
    let seen = 0;
    for await (const _ of client.readStream(stream)) {
      seen += 1;
      if (seen === 3) break;
    }
    return { seen, next: await count(client, stream) };
  },

  async stream_deadline_is_ignored(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(300));
    return count(client, stream, { deadline: 1 });
  },

  async stream_commit_position(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(2));
    const inStream = await resolved(client.readStream(stream));
    const fromPosition = inStream[1]!.event!.position!;
    const [inAll] = await resolved(client.readAll({ fromPosition, maxCount: 1 }));
    return {
      inStream: inStream[0]!.commitPosition === inStream[0]!.event!.position!.commit,
      inAll: inAll!.commitPosition === fromPosition.commit,
    };
  },

  all_from_an_event: readAll(p => ({ fromPosition: p[1] })),
  all_from_an_event_max_2: readAll(p => ({ fromPosition: p[1], maxCount: 2 })),
  all_from_the_last_event: readAll(p => ({ fromPosition: p[4] })),
  all_from_end: readAll(() => ({ fromPosition: 'end' })),
  all_backwards_from_an_event: readAll(p => ({ fromPosition: p[2], direction: 'backwards', maxCount: 3 })),
  all_backwards_from_end_max_2: readAll(() => ({ fromPosition: 'end', direction: 'backwards', maxCount: 2 })),
  all_backwards_from_start: readAll(() => ({ fromPosition: 'start', direction: 'backwards', maxCount: 2 })),
  all_max_0: readAll(() => ({ fromPosition: 'end', direction: 'backwards', maxCount: 0 })),
  all_from_no_event: readAll(p => ({ fromPosition: shifted(p[1], 1n, 1n) })),
  all_backwards_from_no_event: readAll(p => ({
    fromPosition: shifted(p[1], 1n, 1n),
    direction: 'backwards',
    maxCount: 2,
  })),
  all_prepare_above_commit: readAll(p => ({ fromPosition: shifted(p[1], 0n, 5n) })),
  all_prepare_below_commit: readAll(p => ({ fromPosition: shifted(p[1], 0n, -5n) })),
  all_from_beyond_the_end: readAll(() => ({ fromPosition: { commit: BEYOND, prepare: BEYOND } })),
  all_backwards_from_beyond_the_end: readAll(() => ({
    fromPosition: { commit: BEYOND, prepare: BEYOND },
    direction: 'backwards',
    maxCount: 2,
  })),

  async all_from_zero(client, freshName) {
    await append(client, freshName(), events(1));
    const zero = { commit: 0n, prepare: 0n };
    return attempt(async () => (await collect(client.readAll({ fromPosition: zero, maxCount: 1 }))).length);
  },

  async all_as_a_stream(client, freshName) {
    await append(client, freshName(), events(1));
    const found = await read(client, '$all', { maxCount: 1 });
    return Array.isArray(found) ? found.length : found;
  },
};
