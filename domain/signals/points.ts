/**
 * Points of a series in order of time, as columns: `from` is the first time (epoch ms), `steps` the ms from
 * each point to the next, or one number when all are alike; times never repeat. As JSON a regular point costs
 * its value and a comma.
 */
export type Points = {
  readonly from: number;
  readonly steps: number | readonly number[];
  readonly values: readonly number[];
};

/** A value for each of many points in turn, told as runs: `[[how many, value], ...]`. */
export type Runs = readonly (readonly [count: number, value: number])[];

/** Columns side by side, times strictly increasing. */
export type Columns = { readonly times: readonly number[]; readonly values: readonly number[] };

/** Columns as `Points`; at least one point. */
export function packed({ times, values }: Columns): Points {
  const from = times[0]!;
  // Pushed one by one: an array made with its length is one with holes to V8, and takes it twice as long to
  // write as JSON
  const steps: number[] = [];
  let regular = times.length > 1;
  for (let i = 1; i < times.length; i++) {
    const step = times[i]! - times[i - 1]!;
    steps.push(step);
    if (step !== steps[0]) regular = false;
  }
  return { from, steps: regular ? steps[0]! : steps, values };
}

export function unpacked({ from, steps, values }: Points): Columns {
  const times = new Array<number>(values.length);
  let time = from;
  for (let i = 0; i < times.length; i++) {
    times[i] = time;
    time += typeof steps === 'number' ? steps : (steps[i] ?? 0);
  }
  return { times, values };
}

export function lastTime({ from, steps, values }: Points): number {
  return typeof steps === 'number'
    ? from + steps * (values.length - 1)
    : steps.reduce((time, step) => time + step, from);
}

export function runsOf(values: readonly number[]): Runs {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last && last[1] === value) last[0]++;
    else runs.push([1, value]);
  }
  return runs;
}

export const valuesOf = (runs: Runs): number[] =>
  runs.flatMap(([count, value]) => new Array<number>(count).fill(value));
