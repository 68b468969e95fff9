import { firstFrom, type Series } from '../../domain/maths/series/series.js';
import { leavesBetween } from '../engine/leaves.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Reader } from '../engine/reader.js';
import type { SignalSketchDoc } from './documents.js';
import { entriesOf, type PointsLeaf } from './leaf.js';
import { signalId } from './projection.js';

/** What stands for the points of a leaf that are not read: its outermost points, or its mean. */
export type StandIn = 'extremes' | 'means';
export type ThinnedSignals = ReturnType<typeof thinnedSignals>;

/**
 * What signals do over spans of time of any length. Up to `mostLeaves` leaves are read whole; of more, only
 * the ones at the ends, and sketches stand for those between, so that a span of ten million points
 * costs ten thousand small documents.
 */
export function thinnedSignals(read: Reader) {
  async function sketches(tree: string, from: number, to: number): Promise<SignalSketchDoc[]> {
    const [floor] = await read.find<SignalSketchDoc>('signal_sketches', {
      where: leavesBetween(tree, null, from),
      sort: { by: ['_id'], descending: true },
      limit: 1,
    });
    const found: SignalSketchDoc[] = floor ? [floor] : [];
    const pages = read.pages<SignalSketchDoc>('signal_sketches', {
      where: leavesBetween(tree, floor ? floor.from : null, to),
      sort: { by: ['_id'] },
    });
    for await (const page of pages) found.push(...page);
    return found;
  }

  return {
    /** The points of a signal from one time to another, both included, in order; or what stands for them. */
    async series(
      { workspace, key }: WorkspaceKey,
      from: number,
      to: number,
      mostLeaves: number,
      standIn: StandIn,
    ): Promise<Series> {
      const found = await sketches(signalId(workspace, key), from, to);
      const whole = found.length <= mostLeaves ? found : [found[0]!, found.at(-1)!];
      const leaves = await read.load<PointsLeaf>(
        'signal_points',
        whole.map(({ _id }) => _id),
      );
      const times: number[] = [];
      const values: number[] = [];
      const add = (points: Series): void => {
        for (let i = firstFrom(points.times, from); i < points.times.length && points.times[i]! <= to; i++) {
          times.push(points.times[i]!);
          values.push(points.values[i]!);
        }
      };
      for (const [i, sketch] of found.entries()) {
        const leaf = leaves.get(sketch._id);
        add(leaf ? entriesOf(leaf, found[i + 1]?.from ?? null) : standIns[standIn](sketch));
      }
      return { times, values };
    },
  };
}

const standIns: Readonly<Record<StandIn, (sketch: SignalSketchDoc) => Series>> = {
  extremes({ first, last, low, high }) {
    const byTime = new Map([first, low, high, last].sort(([a], [b]) => a - b));
    return { times: [...byTime.keys()], values: [...byTime.values()] };
  },
  means: ({ first: [first], last: [last], mean }) =>
    first === last ? { times: [first], values: [mean] } : { times: [first, last], values: [mean, mean] },
};
