import { forward, newPass, standardise, type Network, type Pass, type Weights } from './model.js';
import type { Rows } from './options.js';

export type Shape = Omit<Network, 'hidden' | 'out'>;

/** The mean pinball loss over all known targets and levels; 0 where none is known. */
export function meanLoss(shape: Shape, weights: Weights, { rows, targets }: Rows): number {
  const pass = newPass(shape);
  let [loss, known] = [0, 0];
  rows.forEach((row, i) => {
    standardise(shape, row, pass.inputs);
    forward(weights, pass);
    const came = compare(shape, pass.outputs, targets[i]!, null);
    loss += came.loss;
    known += came.known;
  });
  return loss / Math.max(1, known);
}

/** Puts the gradient of the mean loss of some rows into `into`, and answers the loss. */
export function fillGradient(
  into: Weights,
  shape: Shape,
  weights: Weights,
  { rows, targets }: Rows,
  batch: Int32Array,
): number {
  const pass = newPass(shape);
  const slopes = new Float64Array(pass.outputs.length);
  into.hidden.fill(0);
  into.out.fill(0);
  let [loss, known] = [0, 0];
  for (const i of batch) {
    standardise(shape, rows[i]!, pass.inputs);
    forward(weights, pass);
    const came = compare(shape, pass.outputs, targets[i]!, slopes);
    loss += came.loss;
    known += came.known;
    backward(into, weights, pass, slopes);
  }
  const share = 1 / Math.max(1, known);
  for (const part of [into.hidden, into.out]) for (let i = 0; i < part.length; i++) part[i]! *= share;
  return loss * share;
}

/** The pinball loss of a row and of how many outputs; its slopes by each output, where they are asked for. */
function compare(
  { steps, levels }: Shape,
  outputs: Float64Array,
  target: Float64Array,
  slopes: Float64Array | null,
): { loss: number; known: number } {
  let [loss, known] = [0, 0];
  for (let step = 0; step < steps; step++)
    for (let k = 0; k < levels.length; k++) {
      const at = step * levels.length + k;
      const residual = target[step]! - outputs[at]!;
      const isKnown = !Number.isNaN(residual);
      const slope = residual > 0 ? -levels[k]! : 1 - levels[k]!;
      if (slopes) slopes[at] = isKnown ? slope : 0;
      if (!isKnown) continue;
      loss -= slope * residual;
      known++;
    }
  return { loss, known };
}

/** Adds what one row says of how the loss changes with each weight. */
function backward(into: Weights, { out }: Weights, { inputs, units }: Pass, slopes: Float64Array): void {
  const width = inputs.length;
  const unitSlopes = new Float64Array(units.length);
  for (let o = 0, at = 0; o < slopes.length; o++) {
    const slope = slopes[o]!;
    if (slope === 0) {
      at += units.length + width + 1;
      continue;
    }
    for (let u = 0; u < units.length; u++, at++) {
      into.out[at]! += slope * units[u]!;
      unitSlopes[u]! += slope * out[at]!;
    }
    for (let j = 0; j < width; j++) into.out[at++]! += slope * inputs[j]!;
    into.out[at++]! += slope;
  }
  for (let u = 0; u < units.length; u++) {
    if (!(units[u]! > 0)) continue;
    let at = u * (width + 1);
    for (let j = 0; j < width; j++) into.hidden[at++]! += unitSlopes[u]! * inputs[j]!;
    into.hidden[at]! += unitSlopes[u]!;
  }
}
