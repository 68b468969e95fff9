import {
  frozenArima,
  frozenEts,
  frozenMstl,
  frozenTheta,
  summed,
  type Baseline,
  type Freeze,
  type Frozen,
} from '../../maths/forecasting/baselines/index.js';
import { freezeWith, methodWith, type Chosen } from '../../maths/forecasting/baselines/chosen.js';
import { filled } from '../../maths/forecasting/baselines/gaps.js';
import { medians } from '../../maths/forecasting/quantiles.js';
import { onnxBytes } from '../../maths/onnx/graph.js';
import { normalQuantile } from '../../maths/statistics/distributions.js';
import type { TrainedModel } from '../../models/trained.js';
import type { TrainingTable } from '../ports.js';
import { inputsOf } from './local-inputs.js';
import { smoothingNodes, type Smoothed } from './smoothing-onnx.js';

const freezing: Readonly<Record<string, Freeze>> = {
  theta: frozenTheta,
  ets: frozenEts,
  arima: frozenArima,
  mstl_ets: frozenMstl,
};
/** Other methods are sums of values as they are. */
const asItIs =
  (method: Baseline): Freeze =>
  (_, period, horizon) =>
    summed(values => medians(method(values, period, horizon)));

/**
 * A method as it was fitted to the last windows of a table, as an .onnx file: `x` [series, newest values] in,
 * `y` [series, horizon, levels] out. What is older than these values is in its constants, and so are the
 * deviations of the steps, which are normal in all of these methods. For the table's own values it answers
 * what serving answers. Where the table is large fewer of the newest values are inputs, so that the file has
 * 40 MB; null where even with one of each series it would have more than 120.
 */
export function localOnnx(model: TrainedModel, table: TrainingTable, period: number): Uint8Array | null {
  const { horizon, levels, lookback, algorithm } = model;
  const chosen = model.plan as Chosen;
  const method = methodWith(algorithm, chosen);
  const freeze = freezeWith(algorithm, chosen) ?? freezing[algorithm] ?? asItIs(method);
  const windows = table.series.flatMap(({ columns }) => {
    const newest = columns[0]!.subarray(-lookback);
    const first = newest.findIndex(value => !Number.isNaN(value));
    return first < 0 ? [] : [newest.subarray(first)];
  });
  const inputs = inputsOf(windows, period, model);
  if (inputs < 1) return null;
  // Of the file's own kind of numbers: there may be many
  const own = new Float32Array(windows.length * inputs);
  const weights = new Float32Array(windows.length * inputs * horizon);
  const middles = new Float32Array(windows.length * horizon);
  const deviations = new Float32Array(windows.length * horizon);
  const outer = levels.length - 1;
  const smoothed: Smoothed[] = [];
  for (const [s, window] of windows.entries()) {
    const whole = filled(window, period);
    const frozen = freeze(whole, period, horizon);
    const { smoothing } = frozen;
    own.set(whole.subarray(-inputs), s * inputs);
    if (smoothing) smoothed.push({ series: s, smoothing, before: smoothing.after(whole.length - inputs) });
    else weights.set(weightsOf(frozen, whole, inputs, horizon), s * inputs * horizon);
    const { values } = method(window, period, horizon);
    medians({ horizon, levels, values }).forEach((median, h) => {
      const distance = values[h * levels.length + outer]! - median;
      middles[s * horizon + h] = median;
      deviations[s * horizon + h] = distance / normalQuantile(levels[outer]!);
    });
  }
  return written(windows.length, inputs, model, { own, weights, middles, deviations, smoothed });
}

/** By how much each of the newest values moves each median. */
function weightsOf(
  { medians: of }: Frozen,
  values: Float64Array,
  inputs: number,
  horizon: number,
): Float64Array {
  const weights = new Float64Array(inputs * horizon);
  const before = of(values);
  const unit = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  for (let i = 0; i < inputs; i++) {
    const moved = values.slice();
    moved[values.length - inputs + i]! += unit;
    of(moved).forEach((median, h) => {
      weights[i * horizon + h] = (median - before[h]!) / unit;
    });
  }
  return weights;
}

type Parts = Readonly<Record<'own' | 'weights' | 'middles' | 'deviations', Float32Array>> & {
  readonly smoothed: readonly Smoothed[];
};

/**
 * y = middles + deviations scale + (x - own) weights, so that the table's own values give its own answers to
 * the last bits; what the values of series whose season multiplies do is added to that.
 */
function written(
  series: number,
  inputs: number,
  { horizon, levels, algorithm }: TrainedModel,
  { own, weights, middles, deviations, smoothed }: Parts,
): Uint8Array {
  const constant = (name: string, dims: readonly number[], floats: ArrayLike<number>) => ({
    ...{ name, dims },
    values: { floats },
  });
  const shape = (name: string, integers: readonly number[]) => ({
    ...{ name, dims: [integers.length] },
    values: { integers },
  });
  const through = smoothed.length > 0 ? smoothingNodes(smoothed, series, horizon) : null;
  return onnxBytes({
    nodes: [
      { operator: 'Sub', inputs: ['x', 'own'], outputs: ['off'] },
      { operator: 'Reshape', inputs: ['off', 'as_rows'], outputs: ['rows'] },
      { operator: 'MatMul', inputs: ['rows', 'weights'], outputs: ['moved'] },
      { operator: 'Reshape', inputs: ['moved', 'as_steps'], outputs: ['steps'] },
      ...(through
        ? [...through.nodes, { operator: 'Reshape', inputs: ['differences', 'as_steps'], outputs: ['turns'] }]
        : []),
      { operator: 'Mul', inputs: ['deviations', 'scale'], outputs: ['bands'] },
      {
        operator: 'Sum',
        inputs: ['middles', 'bands', 'steps', ...(through ? ['turns'] : [])],
        outputs: ['y'],
      },
    ],
    constants: [
      constant('own', [series, inputs], own),
      constant('weights', [series, inputs, horizon], weights),
      constant('middles', [series, horizon, 1], middles),
      constant('deviations', [series, horizon, 1], deviations),
      constant('scale', [1, 1, levels.length], levels.map(normalQuantile)),
      shape('as_rows', [series, 1, inputs]),
      shape('as_steps', [series, horizon, 1]),
      ...(through?.constants ?? []),
    ],
    inputs: [{ name: 'x', dims: [series, inputs] }],
    outputs: [{ name: 'y', dims: [series, horizon, levels.length] }],
    notes: { algorithm, levels: levels.join(',') },
  });
}
