import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seasonalNaive } from '../domain/maths/forecasting/baselines/index.js';
import { LEVELS } from '../domain/maths/forecasting/quantiles.js';
import type { Answer, Method } from './forecast-methods.js';
import type { Task } from './forecast-sets.js';

// Forecasts are kept in a file for each set, method and version, a line each, so that a run that was stopped
// goes on and another one is quick.

type Line = {
  readonly key: string;
  readonly horizon: number;
  readonly ms: number | null;
  readonly quantiles: readonly number[];
  readonly failed?: string;
};

/** A forecast as it was made; `failed`: the method gave none, and has the seasonal naive one instead. */
export type Made = Answer & { readonly failed?: string };

const DIGITS = 8;

/** The forecasts of a method for the tasks, by key: those kept, and the others made now. */
export async function forecastsOf(
  method: Method,
  tasks: readonly Task[],
  folder: string,
  progress: (done: number) => void,
): Promise<Map<string, Made>> {
  const made = new Map<string, Made>();
  const files = new Map<string, Map<string, Line>>();
  for (const [done, task] of tasks.entries()) {
    const file = join(folder, task.windows[0]!.set, `${method.name}@${method.version}.jsonl`);
    const kept = files.get(file) ?? readKept(file);
    files.set(file, kept);
    let line = kept.get(task.key);
    if (!line || line.horizon < task.horizon) {
      line = await lineOf(method, task);
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    }
    made.set(task.key, madeOf(line));
    progress(done + 1);
  }
  return made;
}

/** A line that a stop has cut off is passed over, and ended, so that the next one does not go on from it. */
function readKept(file: string): Map<string, Line> {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) return new Map();
  const text = readFileSync(file, 'utf8');
  if (!text.endsWith('\n')) appendFileSync(file, '\n');
  const lines = text
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as Line);
  return new Map(lines.map(line => [line.key, line]));
}

async function lineOf(method: Method, task: Task): Promise<Line> {
  const { key, horizon } = task;
  try {
    const { ms, quantiles } = await method.forecast(task);
    if (quantiles.length !== horizon * LEVELS.length || !quantiles.every(Number.isFinite))
      throw new Error('no finite quantiles');
    return { key, horizon, ms, quantiles: Array.from(quantiles, x => Number(x.toPrecision(DIGITS))) };
  } catch (error) {
    const { values } = seasonalNaive(task.context, task.period, horizon);
    return { key, horizon, ms: null, quantiles: [...values], failed: String(error) };
  }
}

const madeOf = ({ ms, quantiles, failed }: Line): Made => ({
  ms: ms ?? NaN,
  quantiles: Float64Array.from(quantiles),
  ...(failed === undefined ? {} : { failed }),
});

/** The mean of several methods' forecasts, quantile by quantile, in the time that all of them take. */
export function meanOf(several: readonly ReadonlyMap<string, Made>[]): Map<string, Made> {
  const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  return new Map(
    [...several[0]!.keys()].map(key => {
      const parts = several.map(made => made.get(key)!);
      const shortest = Math.min(...parts.map(({ quantiles }) => quantiles.length));
      const quantiles = Float64Array.from({ length: shortest }, (_, i) =>
        mean(parts.map(part => part.quantiles[i]!)),
      );
      return [key, { ms: mean(parts.map(({ ms }) => ms)) * parts.length, quantiles }];
    }),
  );
}
