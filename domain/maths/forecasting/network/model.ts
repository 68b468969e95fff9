/**
 * A network with one hidden layer and a straight path beside it. Plain data; weights are float32, row by row:
 * `hidden` [units, width + 1], `out` [steps * levels, units + width + 1], the last of each row the constant.
 * An output reads the hidden units, then the standardised inputs.
 */
export type Network = {
  readonly width: number;
  readonly units: number;
  readonly steps: number;
  readonly levels: readonly number[];
  /** Inputs are taken less their mean, in their deviation. */
  readonly means: readonly number[];
  readonly scales: readonly number[];
  readonly hidden: readonly number[];
  readonly out: readonly number[];
};

/** What the network computes for a row, and what it went through on the way. */
export type Pass = {
  readonly inputs: Float64Array;
  readonly units: Float64Array;
  readonly outputs: Float64Array;
};

export const newPass = ({ width, units, steps, levels }: Omit<Network, 'hidden' | 'out'>): Pass => ({
  inputs: new Float64Array(width),
  units: new Float64Array(units),
  outputs: new Float64Array(steps * levels.length),
});

/** Weights by themselves, in float64 while they are learnt. */
export type Weights = { readonly hidden: Float64Array; readonly out: Float64Array };

/** Fills `pass.units` and `pass.outputs` from `pass.inputs`. */
export function forward({ hidden, out }: Weights, { inputs, units, outputs }: Pass): void {
  const width = inputs.length;
  for (let u = 0, at = 0; u < units.length; u++) {
    let sum = 0;
    for (let j = 0; j < width; j++) sum += hidden[at++]! * inputs[j]!;
    sum += hidden[at++]!;
    units[u] = sum > 0 ? sum : 0;
  }
  for (let o = 0, at = 0; o < outputs.length; o++) {
    let sum = 0;
    for (let u = 0; u < units.length; u++) sum += out[at++]! * units[u]!;
    for (let j = 0; j < width; j++) sum += out[at++]! * inputs[j]!;
    outputs[o] = sum + out[at++]!;
  }
}

/** A row as the network takes it. */
export function standardise(
  { means, scales }: Pick<Network, 'means' | 'scales'>,
  row: Float64Array,
  into: Float64Array,
): void {
  for (let j = 0; j < into.length; j++) into[j] = (row[j]! - means[j]!) / scales[j]!;
}

/**
 * The quantiles of each row, `values[(row * steps + step) * levels + k]`; where they cross they are put in
 * order. RangeError where a row has another width than those of the training.
 */
export function predictNetwork(network: Network, rows: readonly Float64Array[]): Float64Array {
  const { width, steps, levels } = network;
  const weights = { hidden: Float64Array.from(network.hidden), out: Float64Array.from(network.out) };
  const pass = newPass(network);
  const count = steps * levels.length;
  const values = new Float64Array(rows.length * count);
  rows.forEach((row, i) => {
    if (row.length !== width) throw new RangeError(`row ${i} has ${row.length} inputs, not ${width}`);
    standardise(network, row, pass.inputs);
    forward(weights, pass);
    values.set(pass.outputs, i * count);
  });
  for (let at = 0; at < values.length; at += levels.length) values.subarray(at, at + levels.length).sort();
  return values;
}
