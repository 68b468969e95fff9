import { fairTurn } from '../../fair-turns.js';
import { downsample } from '../../domain/maths/series/downsample.js';
import { envelopeOf, type Envelope } from '../../domain/maths/series/envelope.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { SignalLists } from '../signals/lists.js';
import type { Span, StandIn, ThinnedSignals } from '../signals/thinned.js';
import { inParts } from './courses.js';
import type { SignalEntry, StreamEntry } from './entries.js';
import { chosen, newestStreams, windowOf, type Group } from './overview-choice.js';
import type { Catalogue } from './queries.js';

/**
 * Leaves of points read whole behind a line of a group; behind a series, as many as make half its points at
 * least.
 */
const LEAVES = 8;
const POINTS_OF_SKETCH = 4;
/** Signals whose points are held at once. */
const AT_ONCE = 20;

/** `from` and `to`: epoch ms, null: as far as there is anything. `maxPoints`: of a series or a line. */
export type OverviewAsked = {
  readonly group: string | null;
  readonly pins: readonly string[];
  readonly from: number | null;
  readonly to: number | null;
  readonly maxPoints: number;
  readonly now: number;
};
/** `more`: there are more groups, signals of the group, pins or streams than are shown. */
export type Overview = {
  readonly mode: 'series' | 'groups';
  readonly window: Span | null;
  readonly series: readonly { readonly entry: SignalEntry; readonly points: Series }[];
  readonly groups: readonly (Group & { readonly lines: Envelope })[];
  readonly streams: readonly StreamEntry[];
  readonly unknownPins: readonly string[];
  readonly more: boolean;
};
type Deps = {
  readonly lists: SignalLists;
  readonly catalogue: Catalogue;
  readonly thinned: ThinnedSignals;
};

/** A workspace at a glance: what is in it, and what its signals do over one window of time. */
export const overviews =
  (deps: Deps) =>
  async (workspace: string, asked: OverviewAsked): Promise<Overview> => {
    await fairTurn(workspace);
    const { entries, groups, more, unknown, mode } = await chosen(deps, workspace, asked);
    const window = windowOf([...entries, ...groups.flatMap(({ members }) => members)], asked, asked.now);
    const streams = await newestStreams(deps, workspace, asked.group);
    return {
      mode,
      window,
      series: window ? await seriesOf(deps, workspace, entries, window, asked.maxPoints) : [],
      groups: window ? await linesOf(deps, workspace, groups, window, asked.maxPoints) : [],
      streams: streams.shown,
      unknownPins: unknown,
      more: more || streams.more,
    };
  };

async function seriesOf(
  { thinned }: Deps,
  workspace: string,
  entries: readonly SignalEntry[],
  window: Span,
  maxPoints: number,
): Promise<Overview['series']> {
  const mostLeaves = Math.ceil(maxPoints / (2 * POINTS_OF_SKETCH));
  const thin = (series: Series): Series => downsample(series, maxPoints);
  const all = await eachSeries(thinned, workspace, entries, window, mostLeaves, 'extremes', thin);
  return entries.map((entry, i) => ({ entry, points: all[i]! }));
}

/** Group by group: the points of one are held together, however many groups there are. */
async function linesOf(
  { thinned }: Deps,
  workspace: string,
  groups: readonly Group[],
  window: Span,
  maxPoints: number,
): Promise<Overview['groups']> {
  const shown: Overview['groups'][number][] = [];
  for (const group of groups) {
    const all = await eachSeries(
      thinned,
      workspace,
      group.members,
      window,
      LEAVES,
      'means',
      series => series,
    );
    const some = all.filter(({ times }) => times.length > 0);
    shown.push({ ...group, lines: envelopeOf(some, window.from, window.to, maxPoints) });
  }
  return shown;
}

/** What is made of the series of each entry, some at once, with a turn for others between two parts. */
async function eachSeries(
  thinned: ThinnedSignals,
  workspace: string,
  entries: readonly SignalEntry[],
  window: Span,
  mostLeaves: number,
  standIn: StandIn,
  make: (series: Series) => Series,
): Promise<Series[]> {
  const made: Series[] = [];
  for (const some of inParts(entries, AT_ONCE)) {
    await fairTurn(workspace);
    const places = some.map(({ place }) => place);
    const all = await thinned.series(places, window, mostLeaves, standIn);
    made.push(...all.map(make));
  }
  return made;
}
