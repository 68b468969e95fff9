import {
  DEFAULT_NETWORK,
  fitNetwork,
  networkOnnx,
  predictNetwork,
  type Network,
  type NetworkOptions,
  type Rows,
} from '../../maths/forecasting/network/index.js';
import { LEVELS } from '../../maths/forecasting/quantiles.js';
import { seeded, type Uniform } from '../../maths/seeded.js';
import { examplesOf, heldOut, partOf, type Examples } from '../../models/windowed/examples.js';
import type { Fit } from './fitted.js';
import { tooShort } from './too-short.js';
import { graphModelOf, importanceFrom, learntFrom, notesOf, windowPlanOf } from './windows.js';

type Given = { readonly units: number; readonly epochs: number; readonly learning_rate: number };

/** From so many rows it is learnt in some seconds. */
const BUDGET = { origins: 4_000, rows: 8_000 };
/** With fewer rows held out or learnt from their loss says little. */
const LEAST_HELD = 40;
/** Where nothing can be held out. */
const FEW_EPOCHS = 10;
/** Rows on which the importance is found. */
const ASKED = 500;

/**
 * A network over the rows of all steps, with the step as a feature. How many epochs it is trained is found by
 * the newest fifth of the origins; then all rows are learnt from.
 */
export const fitWindowNetwork: Fit = (table, asked, told) => {
  const { recipe, horizon, gap, seed } = asked;
  const window = { ...windowPlanOf(table, asked, { forTrees: false }), tellsStep: true };
  const examples = examplesOf(window, learntFrom(table, window), horizon + gap, BUDGET, seeded(seed));
  if (examples.rows.length === 0) throw tooShort();
  const given = recipe.hyperparameters as Given;
  const options: NetworkOptions = {
    ...DEFAULT_NETWORK,
    units: given.units,
    epochs: given.epochs,
    learningRate: given.learning_rate,
  };
  const epochs = epochsNeeded(examples, options, seed);
  told(0.4);
  const random = seeded(seed);
  const { network } = fitNetwork(rowsOf(examples), LEVELS, { ...options, epochs }, { random });
  const model = graphModelOf(window, { recipe, horizon }, LEVELS);
  const graph = networkOnnx(network, notesOf(model, examples));
  return {
    model,
    graph,
    download: { format: 'onnx', bytes: graph },
    importance: importanceFrom(examples, importanceOfInputs(network, examples, random)),
  };
};

const rowsOf = ({ rows, targets }: Examples): Rows => ({
  rows,
  targets: Array.from(targets, y => Float64Array.of(y)),
});

function epochsNeeded(examples: Examples, options: NetworkOptions, seed: number): number {
  const split = heldOut(examples, LEAST_HELD);
  if (!split) return Math.min(FEW_EPOCHS, options.epochs);
  const [learnt, held] = [partOf(examples, split.learnt), partOf(examples, split.held)];
  const run = { random: seeded(seed), validation: rowsOf(held) };
  const losses = fitNetwork(rowsOf(learnt), LEVELS, options, run).progress.map(
    ({ validationLoss }) => validationLoss!,
  );
  return 1 + losses.indexOf(Math.min(...losses));
}

/**
 * By how much the median misses more where a feature is that of other rows, chosen by chance (Breiman 2001);
 * 0 where it does not.
 */
function importanceOfInputs(network: Network, examples: Examples, random: Uniform): number[] {
  const every = Math.max(1, Math.floor(examples.rows.length / ASKED));
  const places = Int32Array.from(examples.rows.keys()).filter(i => i % every === 0);
  const { features, rows, targets } = partOf(examples, places);
  const others = rows.map(() => rows[Math.floor(random() * rows.length)]!);
  const miss = (asked: readonly Float64Array[]): number => {
    const values = predictNetwork(network, asked);
    const middle = LEVELS.indexOf(0.5);
    return targets.reduce((sum, y, i) => sum + Math.abs(y - values[i * LEVELS.length + middle]!), 0);
  };
  const usual = miss(rows);
  return features.map((_, j) => {
    const changed = rows.map((row, i) => row.with(j, others[i]![j]!));
    return Math.max(0, miss(changed) - usual);
  });
}
