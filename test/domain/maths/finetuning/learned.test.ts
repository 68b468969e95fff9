import * as assert from 'uvu/assert';
import { adamW } from '../../../../domain/maths/finetuning/adamw.js';
import { addLearned, begun, chainGradients, partsOf } from '../../../../domain/maths/finetuning/learned.js';
import { seeded } from '../../../../domain/maths/seeded.js';
import { suite } from '../../../suite.js';

const shapes = new Map<string, readonly number[]>([
  ['whole', [3, 4]],
  ['left', [2, 2]],
  ['thin', [5, 6]],
  ['bias', [3]],
]);
const random = seeded(9);
const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, () => random() - 0.5);
const base = new Map([...shapes].map(([name, shape]) => [name, numbers(shape.reduce((a, b) => a * b, 1))]));
const parts = partsOf(shapes, name => ({ whole: 0, left: null, thin: 2, bias: 0 })[name] ?? null);

const weightsAt = (theta: Float32Array, strength: number): Map<string, Float32Array> => {
  const weights = new Map([...base].map(([name, w]) => [name, w.slice()]));
  addLearned(parts, theta, strength, base, weights);
  return weights;
};

suite('what is learned', test => {
  test('the parts lie one after the other, and what is not learned has none', () => {
    assert.equal(
      parts.map(({ name, at, end }) => [name, at, end]),
      [
        ['whole', 0, 12],
        ['thin', 12, 34],
        ['bias', 34, 37],
      ],
    );
  });

  test('at the beginning nothing is added', () => {
    assert.equal(weightsAt(begun(parts, seeded(2)), 1), base);
  });

  test('a product of thin matrices is added, by its strength', () => {
    const theta = numbers(37);
    const [one, half] = [weightsAt(theta, 1), weightsAt(theta, 0.5)];
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 6; column++) {
        let product = 0;
        for (let k = 0; k < 2; k++) product += theta[12 + 12 + row * 2 + k]! * theta[12 + k * 6 + column]!;
        const at = row * 6 + column;
        assert.ok(Math.abs(one.get('thin')![at]! - base.get('thin')![at]! - product) < 1e-6);
        assert.ok(Math.abs(half.get('thin')![at]! - base.get('thin')![at]! - product / 2) < 1e-6);
      }
    assert.equal(one.get('left'), base.get('left'));
  });

  test('its gradient is that of the weights by the chain rule', () => {
    // The loss is the sum of c * w^2 / 2 over all weights
    const c = new Map([...base].map(([name, w]) => [name, numbers(w.length)]));
    const lossAt = (theta: Float32Array): number => {
      let loss = 0;
      for (const [name, w] of weightsAt(theta, 1))
        w.forEach((x, i) => (loss += (c.get(name)![i]! * x * x) / 2));
      return loss;
    };
    const theta = numbers(37);
    const weights = weightsAt(theta, 1);
    const gradient = new Float32Array(37);
    chainGradients(parts, theta, name => weights.get(name)!.map((x, i) => x * c.get(name)![i]!), gradient);
    gradient.forEach((g, i) => {
      const moved = (by: number) => lossAt(theta.map((x, k) => (k === i ? x + by : x)));
      const difference = (moved(1e-2) - moved(-1e-2)) / 2e-2;
      assert.ok(Math.abs(difference - g) < 2e-4, `number ${i}: ${difference} and ${g}`);
    });
  });
});

suite('AdamW', test => {
  test('its first step has the length of the rate, whatever the gradient, and decay pulls to 0', () => {
    const theta = Float32Array.of(1, -1, 2, 0);
    adamW({ size: 4, decay: 0.5 })(theta, Float32Array.of(0.3, -0.002, 0, 0), 1, 0.01);
    const wanted = [1 - 0.01 * (1 + 0.5), -1 + 0.01 * (1 + 0.5), 2 - 0.01 * 0.5 * 2, 0];
    wanted.forEach((x, i) => assert.ok(Math.abs(theta[i]! - x) < 1e-6, `${theta[i]} and ${x}`));
  });

  test('two steps by hand, of a sum over four losses', () => {
    const theta = Float32Array.of(0);
    const optimise = adamW({ size: 1, decay: 0 });
    optimise(theta, Float32Array.of(2), 4, 0.1);
    optimise(theta, Float32Array.of(1), 4, 0.1);
    const [g1, g2] = [0.5, 0.25];
    const m = 0.9 * 0.1 * g1 + 0.1 * g2;
    const v = 0.98 * 0.02 * g1 * g1 + 0.02 * g2 * g2;
    const second = (0.1 * (m / (1 - 0.9 ** 2))) / Math.sqrt(v / (1 - 0.98 ** 2));
    assert.ok(Math.abs(theta[0]! - (-0.1 - second)) < 1e-6, String(theta[0]));
  });

  test('a long gradient counts as one of length 1', () => {
    const [long, one] = [Float32Array.of(0, 0), Float32Array.of(0, 0)];
    const optimisers = [adamW({ size: 2, decay: 0 }), adamW({ size: 2, decay: 0 })] as const;
    for (const scale of [1, 0.1]) {
      optimisers[0](long, Float32Array.of(300 * scale, 400 * scale), 1, 0.1);
      optimisers[1](one, Float32Array.of(0.6, 0.8), 1, 0.1);
    }
    assert.equal(long, one);
  });
});
