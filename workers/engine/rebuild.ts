import { catchUp, drop, filled, progress, still, type Progress, type Rebuilding } from './filling.js';

/**
 * Fills a new generation of a projection's documents from the first fact on, beside the one that serves, then
 * lets it serve and drops the old one. The other way to end is `verify`.
 */
export async function* rebuild(input: Rebuilding): AsyncGenerator<Progress> {
  const { models, generations, projection: p, graceMs } = input;
  const before = generations.generationOf(p);
  const generation = yield* filled(input);
  await still(input, async () => {
    await catchUp(input, generation, await input.store.head());
    await generations.flip(p, generation);
  });
  yield { ...(await progress(input, generation, 0)), phase: 'switching' };
  await new Promise(resolve => setTimeout(resolve, graceMs));
  await drop(models, p, before);
}
