import { firstFrom, type Series } from '../../domain/maths/series/series.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { SignalSketchDoc, PointsLeaf } from './documents.js';
import { pointsOf } from './leaf.js';
import { signalId } from './ids.js';

/** What stands for the points of a leaf that are not read: its outermost points, or its mean. */
export type StandIn = 'extremes' | 'means';
/** From one time to another, both included; epoch ms. */
export type Span = { readonly from: number; readonly to: number };
export type ThinnedSignals = ReturnType<typeof thinnedSignals>;

/**
 * What signals do over spans of time of any length. Up to `mostLeaves` leaves of each are read whole; of
 * more, only the ones at the ends, and sketches stand for those between, so that a span of ten million points
 * costs ten thousand small documents.
 */
export function thinnedSignals(read: Reader) {
  /** The sketches of some trees that touch a span, by tree, each in order of time. */
  async function sketchesIn(trees: readonly string[], { from, to }: Span) {
    const found = new Map<string, SignalSketchDoc[]>(trees.map(tree => [tree, []]));
    const pages = read.pages<SignalSketchDoc>('signal_sketches', {
      where: { tree: { in: trees }, from: { lte: to }, to: { gte: from } },
      sort: { by: ['tree', 'from', '_id'] },
    });
    for await (const page of pages) for (const sketch of page) found.get(sketch.tree)!.push(sketch);
    return found;
  }

  return {
    /**
     * The points of signals in a span, in order, or what stands for them: one series for each place. All of
     * them are held together, so ask for a few dozen at most.
     */
    async series(
      places: readonly WorkspaceKey[],
      span: Span,
      mostLeaves: number,
      standIn: StandIn,
    ): Promise<Series[]> {
      const trees = places.map(({ workspace, key }) => signalId(workspace, key));
      const sketches = await sketchesIn([...new Set(trees)], span);
      const wanted = [...sketches.values()].flatMap(found => readWhole(found, mostLeaves));
      const leaves = await read.load<PointsLeaf>(
        'signal_points',
        wanted.map(({ _id }) => _id),
      );
      return trees.map(tree => seriesOf(sketches.get(tree)!, leaves, span, standIn));
    },
  };
}

/** Those of the leaves of one signal whose points are read. */
const readWhole = (found: readonly SignalSketchDoc[], mostLeaves: number): readonly SignalSketchDoc[] =>
  found.length <= mostLeaves ? found : [found[0]!, found.at(-1)!];

function seriesOf(
  sketches: readonly SignalSketchDoc[],
  leaves: ReadonlyMap<string, Stored<PointsLeaf>>,
  { from, to }: Span,
  standIn: StandIn,
): Series {
  const times: number[] = [];
  const values: number[] = [];
  for (const [i, sketch] of sketches.entries()) {
    const leaf = leaves.get(sketch._id);
    const points = leaf ? pointsOf(leaf, sketches[i + 1]?.from ?? null) : standIns[standIn](sketch);
    for (let n = firstFrom(points.times, from); n < points.times.length && points.times[n]! <= to; n++) {
      times.push(points.times[n]!);
      values.push(points.values[n]!);
    }
  }
  return { times, values };
}

const standIns: Readonly<Record<StandIn, (sketch: SignalSketchDoc) => Series>> = {
  extremes({ first, last, low, high }) {
    const byTime = new Map([first, low, high, last].sort(([a], [b]) => a - b));
    return { times: [...byTime.keys()], values: [...byTime.values()] };
  },
  means: ({ first: [first], last: [last], mean }) =>
    first === last ? { times: [first], values: [mean] } : { times: [first, last], values: [mean, mean] },
};
