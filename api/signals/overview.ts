import { setImmediate as turn } from 'node:timers/promises';
import { downsample } from '../../domain/maths/series/downsample.js';
import { envelopeOf } from '../../domain/maths/series/envelope.js';
import { iso, SECOND } from '../../domain/time.js';
import { unitOf, type SignalEntry } from '../../projections/catalogue/entries.js';
import { row, type Row } from '../edge/row.js';
import { entryViews } from './entries.js';
import * as schemas from './list-schemas.js';
import { chosen, newestStreams, windowOf, type Group, type Window } from './overview-choice.js';
import { reads, tag, type SignalDeps } from './deps.js';

/**
 * Leaves of points read whole behind a line of a group; behind a series, as many as make half its points at
 * least.
 */
const LEAVES = 8;
const POINTS_OF_SKETCH = 4;

type Line = readonly (readonly [ms: number, value: number])[];

/** A workspace at a glance: spec 4.3, open-parts 4.3. */
export const overviewRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/signal/overview',
    operation: 'overviewSignals',
    summary: 'All signals at a glance',
    tag,
    description:
      'Up to 24 signals are shown as series. Of more, groups are: the median of their signals with a band from the 10th to '
      + 'the 90th percentile, to six digits. A drill into a group of more also shows the 24 with the newest points.',
    access: reads,
    query: schemas.overviewQuery,
    answers: {
      200: { description: 'Series or groups, and the event streams', schema: schemas.overviewAnswer },
    },
    async run({ workspace, query: { group = null, pins = '', max_points: maxPoints, ...query } }) {
      const now = deps.clock();
      const { mode, entries, groups, more, unknown } = await chosen(deps, workspace, { group, pins });
      const window = windowOf([...entries, ...groups.flatMap(({ members }) => members)], query, now);
      const streams = await newestStreams(deps, workspace, group);
      return {
        body: {
          data: {
            mode,
            series: window ? await each(entries, entry => seriesView(deps, entry, window, maxPoints)) : [],
            groups: window ? await each(groups, one => groupView(deps, one, window, maxPoints)) : [],
            event_streams: await entryViews(deps, workspace, streams.shown, now),
            window: windowView(window, maxPoints),
            truncated: more || streams.more,
            unknown_pins: unknown,
          },
        },
      };
    },
  }),
];

const windowView = (window: Window | null, maxPoints: number) =>
  window
    ? {
        from: iso(window.from),
        to: iso(window.to),
        step_s: Math.max(1, Math.ceil((window.to - window.from) / SECOND / maxPoints)),
      }
    : { from: null, to: null, step_s: null };

async function seriesView(
  { thinned }: SignalDeps,
  { key, place, ...entry }: SignalEntry,
  { from, to }: Window,
  maxPoints: number,
) {
  const course = await thinned.series(
    place,
    from,
    to,
    Math.ceil(maxPoints / (2 * POINTS_OF_SKETCH)),
    'extremes',
  );
  const { times, values } = downsample(course, maxPoints);
  const points: Line = Array.from(times, (time, i) => [time, values[i]!]);
  return { key, display_name: entry.doc.name, unit: unitOf(entry)?.unit ?? null, points };
}

async function groupView(
  { thinned }: SignalDeps,
  { name, count, members }: Group,
  { from, to }: Window,
  maxPoints: number,
) {
  const all = await each(members, ({ place }) => thinned.series(place, from, to, LEAVES, 'means'));
  const { median, lower, upper } = envelopeOf(
    all.filter(({ times }) => times.length > 0),
    from,
    to,
    maxPoints,
  );
  return {
    group: name,
    count,
    sampled: members.length,
    median: rounded(median),
    band_lower: rounded(lower),
    band_upper: rounded(upper),
    band: 'p10_p90',
    normalized: true,
  };
}

/** To six digits: more would double the answer and tell nobody more. */
const rounded = (line: Line): Line => line.map(([time, value]) => [time, Number(value.toPrecision(6))]);

/** One after the other, with a turn for others in between. */
async function each<T, R>(list: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const item of list) {
    made.push(await make(item));
    await turn();
  }
  return made;
}
