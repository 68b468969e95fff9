// Filtered subscriptions to $all: what matches, and where checkpoints are reported.
import {
  eventTypeFilter,
  excludeSystemEvents,
  streamNameFilter,
  type EventData,
  type Position,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import { append, collect, event, events, firstOf, follow, watch, type Case, type Cases } from './tools.js';

type Filter = SubscribeToAllOptions['filter'];

/** The matches of a filter among one small set of events of every kind. */
const matching =
  (makeFilter: (stream: string) => Filter): Case =>
  async (client, freshName) => {
    const { position } = await client.appendToStream(freshName(), event('mark'));
    const [ordinary, other] = [freshName(), freshName()];
    await append(client, ordinary, [event('Foo'), event('foo'), event('$system'), event('Bar')]);
    await append(client, `$${ordinary}`, event('Foo'));
    await client.setStreamMetadata(ordinary, { maxCount: 9 });
    await append(client, other, event('Foo'));
    const filter = makeFilter(ordinary);
    return follow(client.subscribeToAll({ fromPosition: position!, ...(filter && { filter }) }), {
      show: e => `${e.streamId} ${e.type}`,
    });
  };

const ofType = (prefixes: string[]): Case => matching(() => eventTypeFilter({ prefixes }));
const ofTypeLike = (regex: string): Case => matching(() => eventTypeFilter({ regex }));

const isError = (entry: unknown): boolean => (entry as { error?: string }).error !== undefined;

/**
 * Checkpoints of a filter, first while catching up over 100 noise, a hit, 100 noise, a hit, 10 noise,
 * then live over 70 single noise, a hit, 10 single noise. Events and checkpoints are named by what
 * was appended: noise_a 0 to 99, hit 0, noise_b 0 to 99, ...
 */
const checkpoints =
  (options: { checkpointInterval?: number; maxSearchWindow?: number }): Case =>
  async (client, freshName) => {
    const streams: Record<string, string> = {};
    const put = async (label: string, what: EventData | EventData[]): Promise<void> => {
      streams[label] ??= freshName();
      await client.appendToStream(streams[label], what);
    };
    await put('mark', event());
    const mark = await firstOf(client, streams.mark!);
    await put('noise_a', events(100));
    await put('hit', event());
    await put('noise_b', events(100));
    await put('hit', event());
    await put('noise_c', events(10));

    const filter = streamNameFilter({
      prefixes: [streams.hit!],
      ...options,
      checkpointReached: (_, position) => add({ checkpoint: position.commit }),
    });
    const subscription = client.subscribeToAll({ fromPosition: mark.position!, filter });
    const { log, add, quiet } = watch(subscription, e => ({ event: e.position?.commit }));
    await quiet();
    const whileCatchingUp = log.length;

    for (let i = 0; i < 70; i += 1) await put('live_a', event());
    await put('hit', event());
    for (let i = 0; i < 10; i += 1) await put('live_b', event());
    await quiet();

    const names = new Map<unknown, string>();
    for (const [label, stream] of Object.entries(streams)) {
      for (const e of await collect(client.readStream(stream)))
        names.set(e.position?.commit, `${label} ${e.revision}`);
    }
    const show = (entry: unknown): unknown => {
      if (typeof entry === 'string' || isError(entry)) return entry;
      const [[what, commit]] = Object.entries(entry as object) as [[string, unknown]];
      return `${what} at ${names.get(commit) ?? 'another position'}`;
    };
    await subscription.unsubscribe();
    return {
      catchingUp: log.slice(0, whileCatchingUp).map(show),
      live: log
        .slice(whileCatchingUp)
        .filter(entry => entry !== 'end' && entry !== 'close')
        .map(show),
    };
  };

export const filterCases: Cases = {
  none: matching(() => undefined),
  exclude_system_events: matching(() => excludeSystemEvents()),
  stream_expression_no_dollar: matching(() => streamNameFilter({ regex: '^[^$]' })),
  stream_prefix_of_metadata: matching(stream => streamNameFilter({ prefixes: [`$$${stream}`] })),
  type_prefixes: ofType(['Fo', 'Ba']),
  type_prefix_empty: ofType(['']),
  type_no_prefix: ofType([]),
  type_expression: ofTypeLike('^(Foo|Bar)$'),
  type_expression_unanchored: ofTypeLike('oo'),
  type_expression_inline_flag: ofTypeLike('(?i)^foo$'),
  type_expression_named_group: ofTypeLike('^(?<n>F)oo$'),
  type_expression_bad: ofTypeLike('('),

  checkpoints_default: checkpoints({}),
  checkpoints_interval_2: checkpoints({ checkpointInterval: 2 }),
  checkpoints_window_10: checkpoints({ maxSearchWindow: 10, checkpointInterval: 1 }),
  checkpoints_window_10_interval_3: checkpoints({ maxSearchWindow: 10, checkpointInterval: 3 }),
  checkpoints_window_1: checkpoints({ maxSearchWindow: 1 }),

  async checkpoints_in_one_live_append_of_35(client, freshName) {
    const { position } = await client.appendToStream(freshName(), event());
    const caughtUp: Position[] = [];
    const subscription = client.subscribeToAll({
      fromPosition: position!,
      filter: streamNameFilter({
        prefixes: [freshName()],
        maxSearchWindow: 10,
        checkpointReached: (_, p) => void caughtUp.push(p),
      }),
    });
    const { log, quiet } = watch(subscription);
    await quiet();
    const noise = freshName();
    await append(client, noise, events(35));
    await quiet();
    const stored = await collect(client.readStream(noise));
    await subscription.unsubscribe();
    return {
      at: caughtUp.map(p => stored.findIndex(e => e.position?.commit === p.commit)),
      commitIsPrepare: caughtUp.every(p => p.commit === p.prepare),
      errors: log.filter(isError),
    };
  },
};
