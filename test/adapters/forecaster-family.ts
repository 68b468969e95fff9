import { setMaxListeners } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultFamilyDir } from '../../adapters/forecaster/files.js';
import type { ForecastSeries, SeriesForecast } from '../../domain/maths/forecasting/forecaster.js';
import { randomOf } from '../random.js';

/** Where the models under test are: the family's folder, or another one with a `nano`. */
export const FAMILY_DIR = process.env['PRESAGE_TEST_FAMILY'] ?? defaultFamilyDir();

/** Why the suites that need a model cannot run; null when they can. */
export const NO_MODEL = existsSync(join(FAMILY_DIR, 'nano.json'))
  ? null
  : 'models/presage/nano.json is not there; PRESAGE_TEST_FAMILY can name another folder';

export const never = new AbortController().signal;
setMaxListeners(0, never); // many calls at once listen to it

/**
 * Where the test's own worker (forecaster-worker.ts) writes what it does; for workers that start from now on.
 */
export const newLog = (): string =>
  (process.env['FORECASTER_TEST_LOG'] = mkdtempSync(join(tmpdir(), 'forecaster-')));

const LENGTHS = [1, 2, 5, 16, 17, 40, 100, 255, 256, 257, 400, 512, 700, 1500, 2047, 2048, 2049, 3000];

/** Series of all kinds: lengths, seasons, gaps, constants, tiny and huge values, one known value. */
export const manySeries = (count: number): ForecastSeries[] => {
  const random = randomOf(count);
  return Array.from({ length: count }, (_, n) => {
    const period = random.pick([1, 4, 7, 12, 24, 168]);
    const unit = random.pick([1, 1, 1e-6, 1e9]);
    const size = n % 9 === 4 ? 0 : 1;
    const gaps = n % 3 === 0 ? 0.2 : 0;
    let level = 100 * random.next();
    const values = Float64Array.from({ length: LENGTHS[n % LENGTHS.length]! }, (_, i) => {
      level += size * (random.next() - 0.5);
      return random.chance(gaps) ? NaN : unit * (level + size * 5 * Math.sin((2 * Math.PI * i) / period));
    });
    values[values.length >> 1] = unit * level;
    return { values, period };
  });
};

/** All numbers of a forecast, to the bit. */
export const bitsOf = ({ quantiles, embedding }: SeriesForecast): string =>
  [quantiles.values, embedding]
    .map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    )
    .join();

export const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
