import { onnxBytes, type OnnxConstant, type OnnxNode } from '../../onnx/graph.js';
import type { Network } from './model.js';

/**
 * An .onnx file that predicts as the network does: an input `x` [rows, width] of float32, and an output `y`
 * [rows, steps * levels], the quantiles of each step ascending. Its answers are those of `predictNetwork` to
 * the float32 of its sums, about 1e-5 of the largest number in them. `notes`: what the file says of itself
 * beside, by name.
 */
export function networkOnnx(network: Network, notes: Readonly<Record<string, string>> = {}): Uint8Array {
  const { width, units, steps, levels, means, scales } = network;
  const outputs = steps * levels.length;
  const [hidden, hiddenConstants] = parted(network.hidden, units, [width]);
  const [fromUnits, fromInputs, outConstants] = parted(network.out, outputs, [units, width]);
  const matrix = (name: string, dims: readonly number[], floats: ArrayLike<number>): OnnxConstant => ({
    name,
    dims,
    values: { floats },
  });
  const whole = (name: string, integers: readonly number[]): OnnxConstant => ({
    name,
    dims: [integers.length],
    values: { integers },
  });
  const viaUnits: OnnxNode[] = [
    step('Gemm', ['z', 'hidden', 'hidden_constants'], 'sums', { transB: { integer: 1 } }),
    step('Relu', ['sums'], 'units'),
    step('Gemm', ['units', 'from_units', 'straight'], 'crossing', { transB: { integer: 1 } }),
  ];
  return onnxBytes({
    nodes: [
      step('Sub', ['x', 'means'], 'off'),
      step('Div', ['off', 'scales'], 'z'),
      step('Gemm', ['z', 'from_inputs', 'out_constants'], units > 0 ? 'straight' : 'crossing', {
        transB: { integer: 1 },
      }),
      ...(units > 0 ? viaUnits : []),
      step('Reshape', ['crossing', 'by_step'], 'steps'),
      {
        operator: 'TopK',
        inputs: ['steps', 'levels'],
        outputs: ['ordered', 'order'],
        attributes: { axis: { integer: 2 }, largest: { integer: 0 }, sorted: { integer: 1 } },
      },
      step('Reshape', ['ordered', 'by_row'], 'y'),
    ],
    constants: [
      matrix('means', [width], means),
      matrix('scales', [width], scales),
      matrix('from_inputs', [outputs, width], fromInputs!),
      matrix('out_constants', [outputs], outConstants!),
      ...(units > 0
        ? [
            matrix('hidden', [units, width], hidden!),
            matrix('hidden_constants', [units], hiddenConstants!),
            matrix('from_units', [outputs, units], fromUnits!),
          ]
        : []),
      // 0: as many as there are
      whole('by_step', [0, steps, levels.length]),
      whole('by_row', [0, outputs]),
      whole('levels', [levels.length]),
    ],
    inputs: [{ name: 'x', dims: ['rows', width] }],
    outputs: [{ name: 'y', dims: ['rows', outputs] }],
    notes,
  });
}

const step = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: OnnxNode['attributes'] = {},
): OnnxNode => ({ operator, inputs, outputs: [output], attributes });

/** The columns of a matrix in parts of these widths; what is left of each row is its constant. */
function parted(matrix: readonly number[], rows: number, widths: readonly number[]): Float32Array[] {
  const all = [...widths, 1];
  const row = all.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return all.map(width => {
    const start = from;
    from += width;
    return Float32Array.from(
      { length: rows * width },
      (_, i) => matrix[Math.floor(i / width) * row + start + (i % width)]!,
    );
  });
}
