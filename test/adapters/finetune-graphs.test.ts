import * as assert from 'uvu/assert';
import { readBackbone } from '../../adapters/finetune/backbone.js';
import { Tuner, type Example } from '../../adapters/finetune/tuner.js';
import { defaultFamilyDir, readModelFile } from '../../adapters/forecaster/files.js';
import { openSession } from '../../adapters/forecaster/session.js';
import type { Weights } from '../../domain/maths/finetuning/learned.js';
import { normals } from '../domain/maths/forecasting/toys.js';
import { suite } from '../suite.js';

const HORIZON = 40;
const next = normals(5);

/** Walks of several lengths with a season, some with holes, one on a high level, one far below zero. */
const examples: Example[] = [30, 64, 300, 512, 900].map((length, k) => {
  let level = [0, -200, 1e6, 0, 0][k]!;
  const values = Float64Array.from({ length: length + HORIZON }, (_, t) => {
    level += next();
    return level + 5 * Math.sin((2 * Math.PI * t) / 12);
  });
  if (k % 2) for (let t = 5; t < length - 1; t += 7) values[t] = NaN;
  return { context: values.slice(0, length), period: k === 3 ? 1 : 12, target: values.slice(length) };
});

suite('graphs of fine-tuning', test => {
  const open = async (slug: string) => {
    const { manifest } = readModelFile(defaultFamilyDir(), slug);
    return Tuner.open(readBackbone(slug, manifest.sha256));
  };

  for (const slug of ['nano', 'mini']) {
    test(`what ${slug} says in training is what it says when it serves`, async () => {
      const tuner = await open(slug);
      const session = await openSession(readModelFile(defaultFamilyDir(), slug));
      const together = await tuner.forecasts(
        await tuner.prepare(examples, HORIZON),
        HORIZON,
        tuner.backbone.weights,
      );
      for (const [i, { context, period }] of examples.entries()) {
        const { quantiles } = await session.run({ values: context, period }, HORIZON);
        const alone = await tuner.prepare([examples[i]!], HORIZON);
        const [single] = await tuner.forecasts(alone, HORIZON, tuner.backbone.weights);
        const wide = quantiles[8]! - quantiles[0]!;
        for (const made of [together[i]!, single!])
          made.values.forEach((value, k) => {
            const apart = Math.abs(value - quantiles[k]!);
            assert.ok(apart < 2e-3 * wide, `series ${i}, number ${k}: ${value} and ${quantiles[k]}`);
          });
      }
      await tuner.close();
      await session.close();
    });

    for (const graph of ['train', 'head'] as const)
      test(`the gradients of ${slug} by '${graph}' are differences of its losses`, async () => {
        const tuner = await open(slug);
        const prepared = await tuner.prepare(examples, HORIZON);
        await tuner.addStates(prepared);
        const { weights, shapes } = tuner.backbone;
        const ids = prepared.all();
        const gradients = await tuner.gradients(graph, prepared, ids, weights);
        const lossOf = async (changed: Weights): Promise<number> =>
          (await tuner.losses('score', prepared, ids, changed)).reduce((sum, loss) => sum + loss, 0);
        const names =
          graph === 'head'
            ? ['head.0.weight', 'head.2.bias', 'head1.weight', 'weigh.weight', 'trust.bias']
            : ['context2.0.weight', 'place', 'blocks.1.qkv.weight', 'blocks.2.n1.g', 'norm.g', 'weigh.bias'];
        for (const name of names) {
          assert.ok(shapes.has(name), name);
          const gradient = gradients(name);
          // Along the gradient itself the difference is largest beside the rounding of 32 bits
          const length = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
          const by = (6e-4 * Math.sqrt(weights.get(name)!.reduce((sum, w) => sum + w * w, 0))) / length;
          const moved = (sign: number): Weights =>
            new Map([...weights, [name, weights.get(name)!.map((w, i) => w + sign * by * gradient[i]!)]]);
          const difference = ((await lossOf(moved(1))) - (await lossOf(moved(-1)))) / (2 * by);
          const wanted = length * length;
          assert.ok(
            Math.abs(difference - wanted) < 0.1 * wanted,
            `${name}: ${difference} by differences, ${wanted} by the graph`,
          );
        }
        await tuner.close();
      });
  }
});
