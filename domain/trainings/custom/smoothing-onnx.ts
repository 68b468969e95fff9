import type { Smoothing } from '../../maths/forecasting/baselines/index.js';
import { DOUBLE, FLOAT, type OnnxConstant, type OnnxNode } from '../../maths/onnx/graph.js';

/** A series whose season multiplies: which of the table, and the state before the first of the inputs. */
export type Smoothed = {
  readonly series: number;
  readonly smoothing: Smoothing;
  readonly before: ReturnType<Smoothing['after']>;
};
type Part = { readonly nodes: readonly OnnxNode[]; readonly constants: readonly OnnxConstant[] };

/**
 * By how much the medians of such series differ from those that they have for their own values: a `Scan` in
 * float64 goes through `x` and through `own`, both [`count` series, values], with what was fitted. What
 * comes out is `differences` [`count`, `horizon`], 0 for the series that are not among these.
 */
export function smoothingNodes(all: readonly Smoothed[], count: number, horizon: number): Part {
  const m = all[0]!.before.season.length;
  const twice = [...all, ...all];
  const rows = twice.length;
  const of = (name: string, dims: readonly number[], doubles: readonly number[]): OnnxConstant => ({
    ...{ name, dims },
    values: { doubles },
  });
  const whole = (name: string, integers: readonly number[], dims = [integers.length]): OnnxConstant => ({
    ...{ name, dims },
    values: { integers },
  });
  const places = new Map(all.map(({ series }, i) => [series, i]));
  return {
    constants: [
      ...(['alpha', 'beta', 'gamma', 'phi'] as const).map(name =>
        of(
          name,
          [rows],
          twice.map(({ smoothing }) => smoothing[name]),
        ),
      ),
      ...(['level', 'slope'] as const).map(name =>
        of(
          `first_${name}`,
          [rows],
          twice.map(({ before }) => before[name]),
        ),
      ),
      of(
        'first_season',
        [rows, m],
        twice.flatMap(({ before }) => [...before.season]),
      ),
      of(
        'reach',
        [rows, horizon],
        twice.flatMap(({ smoothing: { phi } }) => reachOf(phi, horizon)),
      ),
      { name: 'nothing', dims: [1, horizon], values: { floats: new Float32Array(horizon) } },
      whole('smoothed', [...places.keys()]),
      whole(
        'place',
        Array.from({ length: count }, (_, series) => places.get(series) ?? all.length),
      ),
      whole(
        'phases',
        Array.from({ length: horizon }, (_, h) => h % m),
      ),
      whole('now', [0], []),
      whole('next', [1]),
      whole('period', [m]),
    ],
    nodes: [
      { operator: 'Gather', inputs: ['x', 'smoothed'], outputs: ['x_smoothed'] },
      { operator: 'Gather', inputs: ['own', 'smoothed'], outputs: ['own_smoothed'] },
      node('Concat', ['x_smoothed', 'own_smoothed'], 'both', { axis: 0 }),
      node('Cast', ['both'], 'exact', { to: DOUBLE }),
      {
        operator: 'Scan',
        inputs: ['first_level', 'first_slope', 'first_season', 'exact'],
        outputs: ['last_level', 'last_slope', 'last_season'],
        attributes: {
          body: { body: step },
          num_scan_inputs: { integer: 1 },
          scan_input_axes: { integers: [1] },
        },
      },
      node('Unsqueeze', ['last_level', 'next'], 'level_column'),
      node('Unsqueeze', ['last_slope', 'next'], 'slope_column'),
      node('Mul', ['slope_column', 'reach'], 'rise'),
      node('Add', ['level_column', 'rise'], 'bases'),
      node('Gather', ['last_season', 'phases'], 'figures', { axis: 1 }),
      node('Mul', ['bases', 'figures'], 'medians'),
      { operator: 'Split', inputs: ['medians'], outputs: ['found', 'known'], attributes: AXIS_0 },
      node('Sub', ['found', 'known'], 'exact_differences'),
      node('Cast', ['exact_differences'], 'own_differences', { to: FLOAT }),
      node('Concat', ['own_differences', 'nothing'], 'with_nothing', { axis: 0 }),
      node('Gather', ['with_nothing', 'place'], 'differences', { axis: 0 }),
    ],
  };
}

const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): OnnxNode => ({
  ...{ operator, inputs, outputs: [output] },
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, integer]) => [name, { integer }])),
});
const AXIS_0 = { axis: { integer: 0 } } as const;

/** What one value does to the state, as `run` of domain/maths/forecasting/baselines/ets has it. */
const step = {
  inputs: ['level', 'slope', 'season', 'value'],
  outputs: ['new_level', 'new_slope', 'new_season'],
  nodes: [
    node('Mul', ['slope', 'phi'], 'faded'),
    node('Add', ['level', 'faded'], 'base'),
    node('Gather', ['season', 'now'], 'figure', { axis: 1 }),
    node('Mul', ['base', 'figure'], 'expected'),
    node('Sub', ['value', 'expected'], 'error'),
    node('Div', ['error', 'figure'], 'own_error'),
    node('Mul', ['alpha', 'own_error'], 'on_level'),
    node('Add', ['base', 'on_level'], 'new_level'),
    node('Mul', ['beta', 'own_error'], 'on_slope'),
    node('Add', ['faded', 'on_slope'], 'new_slope'),
    node('Div', ['error', 'base'], 'part'),
    node('Mul', ['gamma', 'part'], 'on_figure'),
    node('Add', ['figure', 'on_figure'], 'new_figure'),
    node('Unsqueeze', ['new_figure', 'next'], 'new_column'),
    node('Slice', ['season', 'next', 'period', 'next'], 'others'),
    node('Concat', ['others', 'new_column'], 'new_season', { axis: 1 }),
  ],
} as const;

/** How often the slope is in the level of each step ahead. */
function reachOf(phi: number, horizon: number): number[] {
  let power = 1;
  let sum = 0;
  return Array.from({ length: horizon }, () => {
    power *= phi;
    sum += power;
    return sum;
  });
}
