import type { EventStore } from '../commands/ports/event-store.js';
import type { Log } from '../commands/ports/log.js';
import type { Fact } from '../domain/fact.js';
import { entityOf } from '../domain/maths/series/units.js';
import { follow, type Running } from './engine/follow.js';

/** What came since somebody looked. */
export type News = {
  /** Of signals and of the bases of entities (`signalName`) whose points came or went: when, epoch ms. */
  readonly signals: ReadonlyMap<string, number>;
  /** What pipelines read may be other signals now. */
  readonly readsOthers: boolean;
  /** A pipeline changed, or its cycles did. */
  readonly isOfPipelines: boolean;
};

/** A signal of a workspace, among those of all. */
export const signalName = (workspace: string, key: string): string => `${workspace} ${key}`;

const PAGE = 500;
const COUNTED: readonly string[] = ['PointsRecorded', 'SignalDeleted'];
const READS_OTHERS: readonly string[] = [
  ...['SegmentRevised', 'SegmentDeleted', 'SubscriptionStarted', 'SubscriptionEnded'],
  ...['ListingPublished', 'ListingWithdrawn'],
];

/** Follows the log from its end, so that who waits for new points need not count them again and again. */
export function newPoints(store: EventStore, log: Log) {
  let at: number | null = null;
  let signals = new Map<string, number>();
  let readsOthers = false;
  let isOfPipelines = false;

  const take = ({ type, at: when, data, meta, journal }: Fact): void => {
    if (COUNTED.includes(type)) {
      const { key } = data as { readonly key: string };
      const base = entityOf(key)?.base;
      for (const name of base === undefined ? [key] : [key, base])
        signals.set(signalName(meta.workspace!, name), when);
    }
    readsOthers ||= READS_OTHERS.includes(type);
    isOfPipelines ||= journal.startsWith('pipeline-');
  };
  const running: Running = follow({
    name: 'new-points',
    store,
    from: async () => (at ??= await store.head()),
    async work(page) {
      page.forEach(take);
      at = page.at(-1)?.position ?? at!;
      return at;
    },
    room: () => PAGE,
    log,
  });
  return {
    ...running,
    /** The position up to which what is collected stands; null: it is not known yet where the log ends. */
    position: (): number | null => at,
    /** Everything that was collected, once. */
    taken(): News {
      const news = { signals, readsOthers, isOfPipelines };
      signals = new Map();
      [readsOthers, isOfPipelines] = [false, false];
      return news;
    },
  };
}
