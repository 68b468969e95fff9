import { STRENGTHS } from '../../domain/maths/finetuning/plans.js';
import type { Choice } from '../../domain/maths/finetuning/gate.js';
import type { FineTuneAsked } from '../../domain/trainings/fine-tuning.js';
import { packAdapter } from './adapter-file.js';
import { descend, type Learned } from './descend.js';
import type { Examples } from './examples.js';
import type { Prepared } from './prepared.js';
import type { Search } from './search.js';

/** `plain`: the windows as the backbone by itself reads them. */
export type Work = Search & {
  readonly asked: FineTuneAsked;
  readonly examples: Examples;
  readonly plain: Prepared;
};

/** Trains again as it was trained in the search: what was learned then is too much to be kept. */
export async function learned<T>(
  work: Work,
  choice: Choice,
  train: readonly number[],
  use: (learned: Learned, strength: number) => Promise<T>,
): Promise<T> {
  const { tuner, prepared, seed, check } = work;
  const plan = work.plans[choice.way]!;
  const upTo = stepsOf(work, choice);
  const made: T[] = [];
  await descend({
    ...{ tuner, plan, prepared, train, seed, check, upTo },
    async look(now) {
      if (now.steps === upTo) made.push(await use(now, STRENGTHS[choice.strength]!));
      return true;
    },
  });
  return made[0]!;
}

export const stepsOf = ({ plans }: Work, { way, look }: Choice): number => (look + 1) * plans[way]!.every;

/** The strength is in its numbers. */
export const packed =
  ({ asked: { backbone, lookback } }: Work) =>
  async ({ parts, theta }: Learned, strength: number): Promise<Uint8Array> =>
    packAdapter(
      { backbone: { slug: backbone.slug, sha256: backbone.sha256 }, lookback },
      parts,
      theta.map(x => x * strength),
    );
