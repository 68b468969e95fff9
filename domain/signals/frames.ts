import type { Fact } from '../fact.js';
import { inWorkspace, type FrameData, type Gathered, type Tells } from '../realtime/frame.js';
import { iso } from '../time.js';
import type { PointsRecorded, PointsRevised, SignalDeleted } from './facts.js';
import { lastTime } from './points.js';

/** Keys that one frame names at most. */
const KEYS = 100;

/** `count`: points that came or changed; `lastAt`: epoch ms of the newest of them; null: there is none. */
type Update = { readonly key: string; readonly count: number; readonly lastAt: number | null };

const updateOf = ({ type, data }: Fact<PointsRecorded | PointsRevised | SignalDeleted>): Update =>
  type === 'SignalDeleted'
    ? { key: data.key, count: 0, lastAt: null }
    : { key: data.key, count: data.points.values.length, lastAt: lastTime(data.points) };

const both = (a: Update | undefined, b: Update): Update =>
  a ? { key: b.key, count: a.count + b.count, lastAt: later(a.lastAt, b.lastAt) } : b;
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** Updates within a while: each key once. */
function updates(): Gathered {
  const byKey = new Map<string, Update>();
  return {
    add(update: Update) {
      byKey.set(update.key, both(byKey.get(update.key), update));
    },
    frames() {
      const all = [...byKey.values()];
      const parts = Array.from({ length: Math.ceil(all.length / KEYS) }, (_, i) => i * KEYS);
      return parts.map(from => frameOf(all.slice(from, from + KEYS)));
    },
  };
}

function frameOf(some: readonly Update[]): FrameData {
  const { count, lastAt } = some.reduce((sum, update) => both(sum, update));
  return {
    keys: some.map(({ key }) => key),
    count,
    last_at: lastAt === null ? null : iso(lastAt),
  };
}

const updated: Tells = {
  event: 'signal.updated',
  channels: inWorkspace,
  data: updateOf,
  gathered: updates,
};

/** What is told of signals: each key at most once a second. */
export const signalFrames: Readonly<Record<string, Tells>> = {
  PointsRecorded: updated,
  PointsRevised: updated,
  SignalDeleted: updated,
};
