// What benchmarks of forecasts on cadence share: steps of five minutes, so that nobody waits an hour for one,
// and series that have a value of each.

export const STEP_S = 300;
export const STEP = STEP_S * 1000;
const POINTS = 170;

/** Of a step that has begun, epoch ms: 24 that repeat themselves, and noise. */
export const valueAt = (nth: number, time: number): [number, number] => {
  const step = time / STEP;
  return [time, 100 + 20 * Math.sin((2 * Math.PI * (step + nth)) / 24) + ((step * 7_919) % 100) / 20];
};
export const valuesUpTo = (nth: number, last: number): [number, number][] =>
  Array.from({ length: POINTS }, (_, i) => valueAt(nth, last - (POINTS - 1 - i) * STEP));

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Does something `count` times, some of them at once. */
export async function eachOf(
  count: number,
  atOnce: number,
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
