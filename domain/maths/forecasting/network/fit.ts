import type { Uniform } from '../../seeded.js';
import { quantile } from '../../series/quantile.js';
import { standardisedFeatures } from '../ridge.js';
import { Adam } from './adam.js';
import { fillGradient, meanLoss, type Shape } from './gradient.js';
import type { Weights } from './model.js';
import {
  checkOptions,
  checkRows,
  type NetworkFit,
  type NetworkOptions,
  type NetworkProgress,
  type NetworkRun,
  type Rows,
} from './options.js';

/**
 * Forecasts all steps at once from a row of inputs, at each level a quantile: one hidden layer of rectified
 * units, and beside it a straight path from the inputs to all steps. For many series such a linear map beats
 * transformers (Zeng et al. 2023, `Are Transformers Effective for Time Series Forecasting?`), and a network
 * with such a path beside dense layers is as good as the best of them at a small part of the cost (Das et al.
 * 2023, TiDE); this is the smallest network that has both. Rows should be relative to the last value, or the
 * level, of their window, as NLinear takes them: then it follows a series whose level moves.
 *
 * The loss is the mean pinball loss over steps and levels; unknown targets count nothing. Adam over batches
 * in an order drawn anew for each epoch. Weights end as float32. The same arguments and draws give the same
 * bits. Time: rows x weights for each epoch.
 * @throws RangeError that names the option, or the row
 */
export function fitNetwork(
  { rows, targets }: Rows,
  levels: readonly number[],
  options: NetworkOptions,
  run: NetworkRun,
): NetworkFit {
  checkOptions(options);
  const [width, steps] = [rows[0]?.length ?? 0, targets[0]?.length ?? 0];
  checkRows({ rows, targets }, width, steps);
  if (run.validation) checkRows(run.validation, width, steps);
  const { means, scales } = standardisedFeatures(rows);
  const size = sizeOf(targets);
  const scaled = (all: readonly Float64Array[]): Float64Array[] =>
    all.map(target => target.map(y => y / size));
  const learnt = { rows, targets: scaled(targets) };
  const held = run.validation && { ...run.validation, targets: scaled(run.validation.targets) };
  const shape = { width, units: options.units, steps, levels, means: [...means], scales: [...scales] };
  const weights = firstWeights(shape, learnt.targets, run.random);
  const gradient = copyOf(weights);
  const hidden = new Adam(weights.hidden, width + 1, options.decay);
  const out = new Adam(weights.out, options.units + width + 1, options.decay);
  const progress: NetworkProgress[] = [];
  let best = {
    epochs: 0,
    loss: held ? size * meanLoss(shape, weights, held) : Infinity,
    weights: copyOf(weights),
  };
  for (let epoch = 1; epoch <= options.epochs; epoch++) {
    const order = shuffled(rows.length, run.random);
    const rate =
      options.learningRate * (0.01 + 0.495 * (1 + Math.cos((Math.PI * (epoch - 1)) / options.epochs)));
    let loss = 0;
    for (let from = 0; from < order.length; from += options.batch) {
      const batch = order.subarray(from, from + options.batch);
      loss += fillGradient(gradient, shape, weights, learnt, batch) * batch.length;
      hidden.step(gradient.hidden, rate);
      out.step(gradient.out, rate);
    }
    const validationLoss = held ? size * meanLoss(shape, weights, held) : null;
    const now = { epochs: epoch, loss: (size * loss) / rows.length, validationLoss };
    progress.push(now);
    if (validationLoss === null || validationLoss < best.loss)
      best = { epochs: epoch, loss: validationLoss ?? Infinity, weights: copyOf(weights) };
    if (run.onEpoch?.(now) === false) break;
    if (options.patience > 0 && epoch - best.epochs >= options.patience) break;
  }
  const network = {
    ...shape,
    hidden: Array.from(best.weights.hidden, Math.fround),
    out: Array.from(best.weights.out, weight => Math.fround(size * weight)),
  };
  return { network, progress };
}

const copyOf = ({ hidden, out }: Weights): Weights => ({ hidden: hidden.slice(), out: out.slice() });

/** The deviation of all known targets, by which they are learnt; 1 where they do not differ. */
function sizeOf(targets: readonly Float64Array[]): number {
  let [count, mean, squares] = [0, 0, 0];
  for (const target of targets)
    for (const y of target) {
      if (Number.isNaN(y)) continue;
      const off = y - mean;
      mean += off / ++count;
      squares += off * (y - mean);
    }
  return Math.sqrt(squares / Math.max(1, count)) || 1;
}

/** Hidden weights after He et al. (2015), evenly; outputs begin at the quantiles of all targets of a step. */
function firstWeights(shape: Shape, targets: readonly Float64Array[], random: Uniform): Weights {
  const { width, units, steps, levels } = shape;
  const reach = Math.sqrt(6 / width);
  const hidden = Float64Array.from({ length: units * (width + 1) }, (_, i) =>
    i % (width + 1) === width ? 0 : reach * (2 * random() - 1),
  );
  const row = units + width + 1;
  const out = new Float64Array(steps * levels.length * row);
  for (let step = 0; step < steps; step++) {
    const known = Float64Array.from(targets, target => target[step]!)
      .filter(y => !Number.isNaN(y))
      .sort();
    if (known.length > 0)
      levels.forEach((level, k) => (out[(step * levels.length + k + 1) * row - 1] = quantile(known, level)));
  }
  return { hidden, out };
}

function shuffled(count: number, random: Uniform): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}
