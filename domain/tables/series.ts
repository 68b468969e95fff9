import type { TableRead } from './guess.js';

/**
 * A series of a table: its known values in order of time, or of rows (counted from 1) where the table has no
 * times. `repeated`: rows whose time came again further down, which counts.
 */
export type TableSeries = {
  readonly id: string;
  readonly columns: { readonly times: readonly number[]; readonly values: readonly number[] };
  readonly repeated: number;
};

/** The series of a table: one for each column of values and, in a long one, for each whose rows they are. */
export function seriesIn({ time, entity, values }: TableRead): TableSeries[] {
  return values.flatMap(({ column, numbers }) => {
    const rows = new Map<string, number[]>();
    for (const i of numbers.keys()) {
      const id = entity ? entity.names[i]! : column;
      const own = rows.get(id);
      if (own) own.push(i);
      else rows.set(id, [i]);
    }
    return [...rows].map(([id, own]) => ordered(id, own, i => time?.times[i] ?? i + 1, numbers));
  });
}

function ordered(
  id: string,
  rows: readonly number[],
  timeOf: (row: number) => number,
  numbers: readonly number[],
): TableSeries {
  const byTime = new Map(rows.map(row => [timeOf(row), numbers[row]!]));
  const known = [...byTime].filter(([, value]) => !Number.isNaN(value)).sort(([a], [b]) => a - b);
  return {
    id,
    columns: { times: known.map(([at]) => at), values: known.map(([, value]) => value) },
    repeated: rows.length - byTime.size,
  };
}
