import { INPUT_TYPES, type Graph } from '../models/graph.js';

export const FORMATS = ['onnx', 'xgboost_json', 'torchscript', 'tf_savedmodel_zip', 'linear_json'] as const;
export type Format = (typeof FORMATS)[number];

export const NORMALIZATIONS = ['caller', 'none'] as const;
export const DTYPES = INPUT_TYPES;

/** A tensor as its maker says it is; the first dimension is the batch, which has a name. */
export type TensorSaid = {
  readonly name: string;
  readonly dtype: (typeof DTYPES)[number];
  readonly shape: readonly (string | number)[];
};
/**
 * How a model is asked: one input, the newest `lookback` values, oldest first; one output, `horizon` steps.
 * `quantiles` null: it gives points.
 */
export type Signature = {
  readonly inputs: readonly TensorSaid[];
  readonly outputs: readonly TensorSaid[];
  readonly lookback: number;
  readonly horizon: number;
  readonly quantiles: readonly number[] | null;
  readonly normalization: (typeof NORMALIZATIONS)[number];
};

/** What is wrong with a member of a signature. */
export type SignatureFault = { readonly loc: readonly (string | number)[]; readonly msg: string };

/** What no schema tells of a signature for a format. */
export function faultsIn(signature: Signature, format: Format): SignatureFault[] {
  const { inputs, outputs, lookback, horizon, quantiles } = signature;
  const faults: SignatureFault[] = [];
  const fault = (msg: string, ...loc: (string | number)[]): void => void faults.push({ loc, msg });
  const [input] = inputs;
  const [output] = outputs;
  if (!input || inputs.length > 1) fault('must hold one tensor, the series', 'inputs');
  if (!output || outputs.length > 1) fault('must hold one tensor, the forecast', 'outputs');
  if (input && !isShape(input.shape, [[lookback], [lookback, 1]]))
    fault(`must be ["batch", ${lookback}] or ["batch", ${lookback}, 1]`, 'inputs', 0, 'shape');
  const levels = quantiles?.length ?? 1;
  const shapes = quantiles ? [[horizon, levels]] : [[horizon], [horizon, 1]];
  const words = shapes.map(shape => `["batch", ${shape.join(', ')}]`).join(' or ');
  if (output && !isShape(output.shape, shapes)) fault(`must be ${words}`, 'outputs', 0, 'shape');
  if (quantiles?.some((level, i) => level <= (quantiles[i - 1] ?? 0)) || quantiles?.at(-1) === 1)
    fault('must ascend, between 0 and 1', 'quantiles');
  else if (quantiles && !quantiles.includes(0.5)) fault('must hold 0.5, the point forecast', 'quantiles');
  if (MADE_HERE.includes(format)) {
    if (quantiles) fault(`${format} gives points: leave it away`, 'quantiles');
    if (input && (input.dtype !== 'float32' || input.shape.length !== 2))
      fault(`of ${format} is float32 ["batch", ${lookback}]`, 'inputs', 0);
    if (output && (output.dtype !== 'float32' || output.shape.length !== 2))
      fault(`of ${format} is float32 ["batch", ${horizon}]`, 'outputs', 0);
  }
  return faults;
}

/** What is turned into ONNX here, with tensors of one kind. */
const MADE_HERE: readonly Format[] = ['xgboost_json', 'linear_json'];

const isShape = (
  said: Signature['inputs'][number]['shape'],
  wanted: readonly (readonly number[])[],
): boolean =>
  wanted.some(
    shape =>
      said.length === shape.length + 1
      && (typeof said[0] === 'string' || said[0] === 1)
      && shape.every((size, i) => said[i + 1] === size),
  );

/** How series go into a network of this signature, and forecasts come out. */
export const graphOf = ({ inputs, outputs, lookback, quantiles, normalization }: Signature): Graph => ({
  input: {
    name: inputs[0]!.name,
    type: inputs[0]!.dtype,
    channel: inputs[0]!.shape.length === 3,
    length: lookback,
    missing: 'linear',
    pad: 'first',
  },
  output: { name: outputs[0]!.name, form: givesPoints(quantiles) ? 'points' : 'levels_last' },
  scaling: normalization === 'caller' ? 'z_score' : 'none',
});

const givesPoints = (quantiles: readonly number[] | null): boolean => (quantiles?.length ?? 1) === 1;
/** The levels that the network gives by itself. */
export const levelsIn = ({ quantiles }: Pick<Signature, 'quantiles'>): readonly number[] =>
  quantiles ?? [0.5];
