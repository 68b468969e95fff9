import { onnxBytes } from '../../maths/onnx/graph.js';
import type { LinearSteps } from './ridge.js';

/**
 * Linear models of all steps as an .onnx file: `x` [steps, features], the row of each step, in, `y` [steps,
 * levels], its quantiles in sizes relative to the reference, out, as `quantilesAt` gives them.
 */
export function linearOnnx(
  { steps }: LinearSteps,
  levels: readonly number[],
  notes: Readonly<Record<string, string>>,
): Uint8Array {
  const features = steps[0]!.weights.length;
  const constants = steps.flatMap(({ intercept, offsets }) => offsets.map(offset => intercept + offset));
  return onnxBytes({
    nodes: [
      { operator: 'Mul', inputs: ['x', 'weights'], outputs: ['products'] },
      {
        operator: 'ReduceSum',
        inputs: ['products', 'features'],
        outputs: ['sums'],
        attributes: { keepdims: { integer: 1 } },
      },
      { operator: 'Add', inputs: ['sums', 'constants'], outputs: ['y'] },
    ],
    constants: [
      {
        name: 'weights',
        dims: [steps.length, features],
        values: { floats: steps.flatMap(({ weights }) => weights) },
      },
      { name: 'constants', dims: [steps.length, levels.length], values: { floats: constants } },
      { name: 'features', dims: [1], values: { integers: [1] } },
    ],
    inputs: [{ name: 'x', dims: [steps.length, features] }],
    outputs: [{ name: 'y', dims: [steps.length, levels.length] }],
    notes,
  });
}
