import { iso, SECOND } from '../../domain/time.js';
import { unitOf } from '../../projections/catalogue/entries.js';
import type { Overview } from '../../projections/catalogue/overview.js';
import { keyList } from '../edge/key-list.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { entryViews } from './entries.js';
import * as schemas from './overview-schemas.js';
import { reads, tag, type SignalDeps } from './deps.js';

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
      'Up to 24 signals are shown as series. Of more, groups are: the median of their signals with a band '
      + 'from the 10th to the 90th percentile, to six digits. A drill into a group of more also shows the 24 '
      + 'with the newest points.',
    access: reads,
    calls: 5,
    query: schemas.overviewQuery,
    answers: {
      200: { description: 'Series or groups, and the event streams', schema: schemas.overviewAnswer },
    },
    async run({ workspace, query }) {
      const { group = null, pins = '', max_points: maxPoints } = query;
      const now = deps.clock();
      const span = spanIn(query);
      const found = await deps.overview(workspace, { group, pins: keyList(pins), ...span, maxPoints, now });
      return {
        body: {
          data: {
            mode: found.mode,
            series: found.series.map(seriesView),
            groups: found.groups.map(groupView),
            event_streams: await entryViews(deps, workspace, found.streams, now),
            window: windowView(found.window, maxPoints),
            truncated: found.more,
            unknown_pins: found.unknownPins,
          },
        },
      };
    },
  }),
];

const windowView = (window: Overview['window'], maxPoints: number) =>
  window
    ? {
        from: iso(window.from),
        to: iso(window.to),
        step_s: Math.max(1, Math.ceil((window.to - window.from) / SECOND / maxPoints)),
      }
    : { from: null, to: null, step_s: null };

function seriesView({ entry, points: { times, values } }: Overview['series'][number]) {
  const points: Line = Array.from(times, (time, i) => [time, values[i]!]);
  return { key: entry.key, display_name: entry.doc.name, unit: unitOf(entry)?.unit ?? null, points };
}

const groupView = ({ name, count, members, lines }: Overview['groups'][number]) => ({
  group: name,
  count,
  sampled: members.length,
  median: rounded(lines.median),
  band_lower: rounded(lines.lower),
  band_upper: rounded(lines.upper),
  band: 'p10_p90',
  normalized: true,
});

/** To six digits: more would double the answer and tell nobody more. */
const rounded = (line: Line): Line => line.map(([time, value]) => [time, Number(value.toPrecision(6))]);
