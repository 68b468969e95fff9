import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openFamily } from '../adapters/forecaster/family.js';
import { openSession } from '../adapters/forecaster/session.js';
import { drift, naive, seasonalNaive, type Baseline } from '../domain/maths/forecasting/baselines/index.js';
import type { Task } from './forecast-sets.js';

// The forecasters that bench/forecast.ts compares.

export type Asked = Pick<Task, 'context' | 'period' | 'horizon'>;

/** Nine quantiles a step, row by row, and the milliseconds of the processor that they took. */
export type Answer = { readonly ms: number; readonly quantiles: Float64Array };

/**
 * `version`: what forecasts are kept under; another one makes them again. `close` may be called more than
 * once.
 */
export type Method = {
  readonly name: string;
  readonly version: string;
  forecast(asked: Asked): Promise<Answer>;
  close(): Promise<void>;
};

async function timed(run: () => Float64Array | Promise<Float64Array>): Promise<Answer> {
  const begin = process.cpuUsage();
  const quantiles = await run();
  const { user, system } = process.cpuUsage(begin);
  return { ms: (user + system) / 1000, quantiles };
}

const closedForm = (name: string, make: Baseline): Method => ({
  name,
  version: '1',
  close: async () => {
    /* nothing is open */
  },
  forecast: ({ context, period, horizon }) => timed(() => make(context, period, horizon).values),
});

/** The naive methods of the domain. */
export const naiveMethods = (): Method[] => [
  closedForm('naive', naive),
  closedForm('snaive', seasonalNaive),
  closedForm('drift', drift),
];

/**
 * Our own family, the slugs that are there, through the product's own runtime: one worker, one series at a
 * time.
 */
export function ourMethods(wanted: (name: string) => boolean): Method[] {
  const family = openFamily({ threads: 1 });
  const { signal } = new AbortController();
  const found = [...family.forecasters.values()];
  if (found.length === 0) console.log('models/presage has no model');
  return found
    .filter(({ slug }) => wanted(slug))
    .map(forecaster => ({
      name: forecaster.slug,
      version: forecaster.version,
      close: () => family.close(),
      forecast: ({ context: values, period, horizon }) =>
        timed(
          async () => (await forecaster.forecast([{ values, period }], horizon, signal))[0]!.quantiles.values,
        ),
    }));
}

/** A file of the form of ours that is not of the family, in this thread. */
export async function fileMethod(name: string, file: string): Promise<Method> {
  const bytes = readFileSync(file);
  const session = await openSession({ bytes });
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const forecast = ({ context, period, horizon }: Asked): Promise<Answer> =>
    timed(async () => (await session.run({ values: context.slice(-NEWEST), period }, horizon)).quantiles);
  return { name, version, forecast, close: () => session.close() };
}

const NEWEST = 2048;

type Said = { readonly ms: number; readonly quantiles: number[] } | { readonly error: string };

/**
 * Other people's methods, in one Python process; none, with a word on what to install, where that does not
 * start.
 */
export async function theirMethods(python: string, wanted: (name: string) => boolean): Promise<Method[]> {
  const script = fileURLToPath(new URL('../../bench/forecast-methods.py', import.meta.url));
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', error => {
    console.log(`${python}: ${error.message}`);
  });
  child.stdin.on('error', () => {
    /* it has ended; the missing answer says so */
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the Python process has ended');
    return JSON.parse(value);
  };
  const close = async (): Promise<void> => {
    child.stdin.end();
  };
  const forecastBy =
    (method: string) =>
    async ({ context, period, horizon }: Asked): Promise<Answer> => {
      // NaN becomes null
      child.stdin.write(`${JSON.stringify({ method, context: Array.from(context), period, horizon })}\n`);
      const said = (await next()) as Said;
      if ('error' in said) throw new Error(said.error);
      return { ms: said.ms, quantiles: Float64Array.from(said.quantiles) };
    };
  const { versions } = (await next().catch(() => ({ versions: {} }))) as { versions: Record<string, string> };
  const methods = Object.entries(versions)
    .map(([name, version]) => ({ name, version, forecast: forecastBy(name), close }))
    .filter(({ name }) => wanted(name));
  if (methods.length === 0) await close();
  return methods;
}
