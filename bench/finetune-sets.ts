import { DAY, HOUR } from '../domain/time.js';
import { fixed, months, type Step } from '../domain/maths/series/grid.js';
import type { TrainingTable } from '../domain/trainings/ports.js';
import { readWindows } from './forecast-sets.js';

// The series of bench/finetune.ts: those of bench/forecast.ts that have enough history.

export type Case = {
  readonly name: string;
  readonly freq: string;
  readonly horizon: number;
  readonly step: Step;
  readonly values: Float64Array;
  /** Values before the part that is for the last test alone. */
  readonly known: number;
};

/** How far ahead, and how long a step is, by frequency. */
const KINDS: Readonly<Record<string, { readonly horizon: number; readonly step: Step }>> = {
  halfhourly: { horizon: 48, step: fixed(HOUR / 2) },
  hourly: { horizon: 24, step: fixed(HOUR) },
  daily: { horizon: 14, step: fixed(DAY) },
  weekly: { horizon: 8, step: fixed(7 * DAY) },
  monthly: { horizon: 12, step: months(1) },
  quarterly: { horizon: 8, step: months(3) },
};

/** The newest values of a series that are looked at; and how much of them is left for the last test. */
const NEWEST = 4_000;
const UNTOUCHED = 0.25;
/** Fewer known values are too short a history. */
const LEAST = 240;
/** So many are tested. */
const MOST = 60;

/**
 * What the rules of the gate were chosen on: of the list by name every second of the first 60, and two of
 * each seven. The others were not looked at before.
 */
const isDevelopment = (_: unknown, i: number): boolean => (i % 2 === 0 && i <= 58) || [0, 2].includes(i % 7);

/** Series that were not looked at while the rules were chosen, or those that were. */
export async function casesIn(folder: string, development: boolean): Promise<Case[]> {
  const all = await everyCase(folder);
  const chosen = all.filter((each, i) => isDevelopment(each, i) === development);
  return development ? chosen : chosen.slice(0, MOST);
}

async function everyCase(folder: string): Promise<Case[]> {
  const cases = new Map<string, Case>();
  for (const set of ['high', 'series-dev'])
    for (const { name, freq, values } of await readWindows(folder, set)) {
      const kind = KINDS[freq];
      if (!kind || cases.has(`${set} ${name}`)) continue;
      const newest = values.subarray(-NEWEST);
      if (newest.filter(Number.isFinite).length < LEAST) continue;
      const known = Math.round(newest.length * (1 - UNTOUCHED));
      cases.set(`${set} ${name}`, { name: `${set} ${name}`, freq, ...kind, values: newest, known });
    }
  return [...cases.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a training reads of it: all but the untouched part, with folds at its end. */
export function tableOf({ name, step, values, known, horizon }: Case): TrainingTable {
  const at = (i: number): number => i * step.ms;
  const stretch = (from: number, to: number) => ({ from: at(from), to: at(to), steps: to - from });
  const times = Float64Array.from({ length: known }, (_, i) => at(i));
  const folds = [4, 3, 2, 1].map(k => ({
    train: stretch(0, known - k * horizon),
    test: stretch(known - k * horizon, known - (k - 1) * horizon),
  }));
  return {
    ...{ step, timezone: 'UTC', folds },
    columns: [{ name, role: 'target' }],
    series: [{ entity: null, times, columns: [values.subarray(0, known)] }],
  };
}
