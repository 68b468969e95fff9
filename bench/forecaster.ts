import { InferenceSession, Tensor } from 'onnxruntime-node';
import { openFamily } from '../adapters/forecaster/family.js';
import { defaultFamilyDir, readModelFile, slugsIn } from '../adapters/forecaster/files.js';
import { SESSION_OPTIONS } from '../adapters/onnx.js';
import { normalQuantile } from '../domain/maths/statistics/distributions.js';
import { randomOf } from '../test/random.js';

/**
 * What it costs that each series is a batch of its own: `node dist/bench/forecaster.js [folder]`, for each
 * model the CPU ms a series in batches of 1, 8 and 64, how many of 64 series then differ from those alone,
 * and the way through the pool.
 */
const SHAPES = [
  [100, 16],
  [512, 64],
  [2048, 64],
  [2048, 720],
] as const;
const SIZES = [1, 8, 64];
const SERIES = 64;
const PERIOD = 12;
const dir = process.argv[2] ?? defaultFamilyDir();
const random = randomOf(1);

/** A random walk with a season. */
const walk = (length: number): Float64Array => {
  let level = 0;
  return Float64Array.from({ length }, (_, i) => {
    level += normalQuantile(random.next() || 0.5);
    return level + 5 * Math.sin((2 * Math.PI * i) / PERIOD);
  });
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** All series in batches of a size: the quantiles of each, and CPU ms a series. */
const inBatches = async (
  session: InferenceSession,
  all: readonly Float64Array[],
  horizon: number,
  size: number,
): Promise<{ rows: Float64Array[]; ms: number }> => {
  const rows: Float64Array[] = [];
  const before = cpuMs();
  const length = all[0]!.length;
  for (let i = 0; i < all.length; i += size) {
    const context = Float64Array.from(
      { length: size * length },
      (_, k) => all[i + Math.floor(k / length)]![k % length]!,
    );
    const { quantiles } = await session.run({
      context: new Tensor('float64', context, [size, length]),
      period: new Tensor('int64', new BigInt64Array(size).fill(BigInt(PERIOD)), [size]),
      horizon: new Tensor('int64', BigInt64Array.of(BigInt(horizon)), [1]),
    });
    const values = quantiles!.data as Float64Array;
    const width = values.length / size;
    for (let k = 0; k < size; k++) rows.push(values.slice(k * width, (k + 1) * width));
  }
  return { rows, ms: (cpuMs() - before) / all.length };
};

const family = openFamily({ threads: 1, dir });
for (const slug of slugsIn(dir)) {
  const session = await InferenceSession.create(readModelFile(dir, slug).bytes, SESSION_OPTIONS);
  const forecaster = family.forecasters.get(slug)!;
  for (const [length, horizon] of SHAPES) {
    const all = Array.from({ length: SERIES }, () => walk(length));
    const line: string[] = [];
    await inBatches(session, all.slice(0, 8), horizon, 8);
    const alone = (await inBatches(session, all, horizon, 1)).rows;
    for (const size of SIZES) {
      const { rows, ms } = await inBatches(session, all, horizon, size);
      const differ = rows.filter((row, i) => row.some((x, k) => x !== alone[i]![k])).length;
      line.push(`batch ${size}: ${ms.toFixed(2)} ms, ${differ} differ`);
    }
    const asked = all.map(values => ({ values, period: PERIOD }));
    const { signal } = new AbortController();
    await forecaster.forecast(asked.slice(0, 8), horizon, signal);
    const before = cpuMs();
    await forecaster.forecast(asked, horizon, signal);
    line.push(`pool: ${((cpuMs() - before) / SERIES).toFixed(2)} ms`);
    console.log(`${slug}, context ${length}, horizon ${horizon}: ${line.join('; ')}`);
  }
  await session.release();
}
await family.close();
