import { medians } from '../domain/maths/forecasting/quantiles.js';
import { median, table } from './common.js';
import type { Method } from './forecast-methods.js';
import { grouped } from './forecast-sets.js';
import { bendsOf, CHANGES, followed, lastMove, NEGATED, stillness } from './forecast-stress-checks.js';
import { quantileAt, stretch, summaryOf, type Tried } from './forecast-stress-scores.js';
import { meanOf, percent, three } from './forecast-tasks-sets.js';

// The tables of bench/forecast-stress.ts.

/** What one network did: rows of numbers, and how they are written. */
export type Found = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly texts: readonly ((x: number) => string)[];
  readonly rows: Readonly<Record<string, readonly number[]>>;
};

const small = (x: number): string => x.toPrecision(2);

/** All tables of a network; makes the forecasts of changed series. */
export async function tablesOf(method: Method, tried: readonly Tried[]): Promise<Found[]> {
  const of = (group: string): Tried[] => tried.filter(each => each.group === group);
  const moving = tried.filter(({ group }) => group !== 'constant');
  return [
    scores('group', moving, ({ group }) => group),
    scores('kind', moving, ({ group, kind }) => `${group}: ${kind}`),
    thirds(of('long horizons')),
    still([...of('moved once'), ...of('constant')]),
    await negated(method, tried),
    await changed(method, of('ordinary')),
    edges(of('patches')),
  ];
}

function scores(title: string, tried: readonly Tried[], groupOf: (each: Tried) => string): Found {
  const rows = [...grouped(tried, groupOf)].map(([name, own]) => {
    const { scored, mase, wql, covers, above } = summaryOf(own);
    const count = scored < own.length ? `${own.length}, MASE of ${scored}` : own.length;
    return [`${name} (${count})`, [mase, wql, covers, above]] as const;
  });
  return {
    title: `MASE and WQL relative to seasonal naive, by ${title}`,
    columns: ['MASE', 'WQL', 'covers', 'above'],
    texts: [three, three, percent, percent],
    rows: Object.fromEntries(rows),
  };
}

function thirds(tried: readonly Tried[]): Found {
  const part = (third: number): number[] => {
    const own = tried.map(each => {
      const length = each.horizon / 3;
      return stretch(each, third * length, (third + 1) * length);
    });
    const { mase, wql, covers, above } = summaryOf(own);
    return [mase, wql, covers, above];
  };
  return {
    title: 'Long horizons, by thirds',
    columns: ['MASE', 'WQL', 'covers', 'above'],
    texts: [three, three, percent, percent],
    rows: { first: part(0), second: part(1), third: part(2) },
  };
}

/** The usual and the largest, in shares of the level (of 1 where it is 0) or of the last move. */
function still(tried: readonly Tried[]): Found {
  const line = (own: readonly Tried[], unitOf: (each: Tried) => number): number[] => {
    const found = own.map(each => ({ ...stillness(each), unit: unitOf(each) }));
    const errors = found.map(({ error, unit }) => error / unit);
    const bands = found.map(({ band, unit }) => band / unit);
    return [median(errors), Math.max(...errors), median(bands), Math.max(...bands)];
  };
  const level = ({ context }: Tried): number => Math.abs(context.at(-1)!) || 1;
  const rows = [...grouped(tried, ({ kind }) => kind)].flatMap(([kind, own]) => [
    [`${kind}, of the level`, line(own, level)] as const,
    ...(kind === 'constant' ? [] : [[`${kind}, of the move`, line(own, lastMove)] as const]),
  ]);
  return {
    title: 'Where nothing moves any more: mean absolute error and width of the 80% band, median and most',
    columns: ['error', 'most', 'band', 'most'],
    texts: [small, small, small, small],
    rows: Object.fromEntries(rows),
  };
}

const TURNED = ['yearly growth', 'level shift', 'saturation', 'long periods', 'ordinary'];
const FOLLOWED = {
  columns: ['WQL by', 'one at most', 'median by', 'at most'],
  texts: [percent, percent, small, small],
};

async function negated(method: Method, tried: readonly Tried[]): Promise<Found> {
  const rows: Record<string, number[]> = {};
  for (const group of TURNED) {
    const own = tried.filter(each => each.group === group);
    rows[group] = Object.values(await followed(method, own, NEGATED));
  }
  return { title: 'Negated: what moves (medians in deviations of the history)', ...FOLLOWED, rows };
}

async function changed(method: Method, tried: readonly Tried[]): Promise<Found> {
  const rows: Record<string, number[]> = {};
  for (const [name, change] of Object.entries(CHANGES))
    rows[name] = Object.values(await followed(method, tried, change));
  return { title: 'Ordinary series changed: what moves', ...FOLLOWED, rows };
}

/** A ratio of 1: no edge shows. Series whose line has no bend at all are left out of it. */
function edges(tried: readonly Tried[]): Found {
  const lines: Readonly<Record<string, (each: Tried) => Float64Array>> = {
    median: ({ forecast }) => medians(forecast),
    q10: ({ forecast }) => quantileAt(forecast, 0.1),
    'median less process': ({ forecast, pure }) => medians(forecast).map((x, step) => x - pure![step]!),
    'process without noise': ({ pure }) => pure!,
  };
  const found = (own: readonly Tried[], lineOf: (each: Tried) => Float64Array): number[] => {
    const bends = own.map(each => bendsOf(each, lineOf(each)));
    const ratios = bends.map(({ edges, elsewhere }) => edges / elsewhere).filter(Number.isFinite);
    return [
      meanOf(ratios),
      median(ratios),
      meanOf(bends.map(({ edges }) => edges)),
      meanOf(bends.map(({ elsewhere }) => elsewhere)),
    ];
  };
  return {
    title: 'Edges of patches: |second differences| there over elsewhere; both in deviations of the history',
    columns: ['mean ratio', 'median ratio', 'edges', 'elsewhere'],
    texts: [three, three, small, small],
    rows: Object.fromEntries(
      [...grouped(tried, ({ kind }) => kind)].flatMap(([kind, own]) =>
        Object.entries(lines).map(([name, lineOf]) => [`${kind}, ${name}`, found(own, lineOf)]),
      ),
    ),
  };
}

/** Prints the tables of all networks, side by side. */
export function printTables(networks: Readonly<Record<string, readonly Found[]>>): void {
  const names = Object.keys(networks);
  for (const [i, { title, columns, texts, rows }] of networks[names[0]!]!.entries()) {
    console.log(title);
    table(
      ['', ...names.flatMap(name => columns.map(column => `${name} ${column}`))],
      Object.keys(rows).map(row => [
        row,
        ...names.flatMap(name =>
          networks[name]![i]!.rows[row]!.map((x, k) => (Number.isNaN(x) ? '-' : texts[k]!(x))),
        ),
      ]),
    );
  }
}
