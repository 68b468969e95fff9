import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { onnxBytes } from '../../domain/maths/onnx/graph.js';
import { Malformed } from './proto-file.js';
import type { Order } from './messages.js';

type LinearModel = {
  readonly coefficients: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
};

const MOST_BYTES = 100_000_000;
const numbers = { type: 'array', items: { type: 'number' } } as const;
const isLinear = new Ajv2020({ strict: true, meta: false, validateSchema: false }).compile<LinearModel>({
  type: 'object',
  required: ['coefficients', 'intercepts'],
  properties: { coefficients: { type: 'array', items: numbers }, intercepts: numbers },
});

/**
 * `{"coefficients": [[...] for each step], "intercepts": [one for each step]}`: step h is the sum of
 * coefficients[h][i] times value i of the lookback, oldest first, and of intercepts[h]. Writes it as ONNX.
 * @throws Malformed
 */
export function linearNetwork({ path, made, signature }: Order): void {
  const model = jsonIn(path);
  if (!isLinear(model)) {
    const { instancePath, message } = isLinear.errors![0]!;
    throw new Malformed(`${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${message}`);
  }
  const { coefficients, intercepts } = model;
  const horizon = coefficients.length;
  const lookback = coefficients[0]?.length ?? 0;
  if (lookback === 0 || intercepts.length !== horizon)
    throw new Malformed('it must have coefficients and an intercept for each step');
  const odd = coefficients.findIndex(row => row.length !== lookback);
  if (odd >= 0) throw new Malformed(`coefficients.${odd} must hold ${lookback} numbers as the others do`);
  const weights = new Float32Array(lookback * horizon);
  coefficients.forEach((row, h) => row.forEach((value, i) => (weights[i * horizon + h] = value)));
  const [input, output] = [signature.inputs[0]!.name, signature.outputs[0]!.name];
  const network = onnxBytes({
    nodes: [
      { operator: 'MatMul', inputs: [input, '#weights'], outputs: ['#product'] },
      { operator: 'Add', inputs: ['#product', '#intercepts'], outputs: [output] },
    ],
    constants: [
      { name: '#weights', dims: [lookback, horizon], values: { floats: weights } },
      { name: '#intercepts', dims: [horizon], values: { floats: intercepts } },
    ],
    inputs: [{ name: input, dims: ['batch', lookback] }],
    outputs: [{ name: output, dims: ['batch', horizon] }],
  });
  writeFileSync(made, network);
}

/** @throws Malformed */
export function jsonIn(path: string): unknown {
  if (statSync(path).size > MOST_BYTES) throw new Malformed(`JSON of more than ${MOST_BYTES} bytes`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Malformed(`it is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}
