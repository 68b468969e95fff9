import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Weights } from '../../domain/maths/finetuning/learned.js';
import { LEVELS, type QuantileForecast } from '../../domain/maths/forecasting/quantiles.js';
import { SESSION_OPTIONS } from '../onnx.js';
import { GRAPHS, type Backbone, type GraphName } from './backbone.js';
import { Prepared } from './prepared.js';

/** A window: the values that are read, the period, and what came, NaN where it is not known. */
export type Example = {
  readonly context: Float64Array;
  readonly period: number;
  readonly target: Float64Array;
};

/** So many windows go through a graph at once. */
const PORTION = 64;
/** Steps ahead come in patches of 16, of which the served network makes four at least. */
const PATCH = 16;
const LEAST_STEPS = 64;

/**
 * Runs the graphs that were made beside a network: losses, gradients and forecasts for any weights. Equal
 * weights and windows give equal bits.
 */
export class Tuner {
  readonly backbone: Backbone;
  readonly #sessions: Readonly<Record<GraphName, InferenceSession>>;

  private constructor(backbone: Backbone, sessions: Readonly<Record<GraphName, InferenceSession>>) {
    this.backbone = backbone;
    this.#sessions = sessions;
  }

  static async open(backbone: Backbone): Promise<Tuner> {
    const open = async (name: GraphName): Promise<[GraphName, InferenceSession]> => [
      name,
      await InferenceSession.create(backbone.graphs[name], SESSION_OPTIONS),
    ];
    const sessions = Object.fromEntries(await Promise.all(GRAPHS.map(open)));
    return new Tuner(backbone, sessions as Record<GraphName, InferenceSession>);
  }

  /** What the network sees of windows, and what it should say of `horizon` steps; no weight is in it. */
  async prepare(examples: readonly Example[], horizon: number): Promise<Prepared> {
    const steps = Math.max(LEAST_STEPS, Math.ceil(horizon / PATCH) * PATCH);
    const longest = Math.max(...examples.map(({ context }) => context.length));
    const prepared = new Prepared(examples.length, steps);
    for (let first = 0; first < examples.length; first += PORTION) {
      const part = examples.slice(first, first + PORTION);
      const context = new Float64Array(part.length * longest).fill(NaN);
      const target = new Float64Array(part.length * steps).fill(NaN);
      part.forEach((example, i) => {
        context.set(example.context, (i + 1) * longest - example.context.length);
        target.set(example.target.subarray(0, horizon), i * steps);
      });
      const fields = await this.#sessions.prepare.run({
        context: new Tensor('float64', context, [part.length, longest]),
        period: new Tensor(
          'int64',
          BigInt64Array.from(part, ({ period }) => BigInt(period)),
          [part.length],
        ),
        target: new Tensor('float64', target, [part.length, steps]),
      });
      for (const [name, tensor] of Object.entries(fields)) prepared.put(name, tensor, first);
    }
    return prepared;
  }

  /** Adds what the last layers see, which the backbone gives: `head` needs no more. */
  async addStates(prepared: Prepared): Promise<void> {
    for (const ids of portions(prepared.all())) {
      const { state } = await this.#run('score', prepared, ids, this.backbone.weights);
      prepared.put('state', state!, ids[0]!);
    }
  }

  /** The loss of each of some windows. */
  async losses(
    graph: 'head' | 'score',
    prepared: Prepared,
    ids: readonly number[],
    weights: Weights,
  ): Promise<number[]> {
    const losses: number[] = [];
    for (const some of portions(ids)) {
      const { loss } = await this.#run(graph, prepared, some, weights);
      losses.push(...(loss!.data as Float32Array));
    }
    return losses;
  }

  /** Name -> the gradient of the summed loss of some windows, at most `PORTION` of them. */
  async gradients(
    graph: 'head' | 'train',
    prepared: Prepared,
    ids: readonly number[],
    weights: Weights,
  ): Promise<(name: string) => Float32Array> {
    const outputs = await this.#run(graph, prepared, ids, weights);
    return name => outputs[`d.${name}`]!.data as Float32Array;
  }

  /** Forecasts of all windows, in the units of their series. */
  async forecasts(prepared: Prepared, horizon: number, weights: Weights): Promise<QuantileForecast[]> {
    const made: QuantileForecast[] = [];
    const size = prepared.steps * LEVELS.length;
    for (const ids of portions(prepared.all())) {
      const { u: all } = await this.#run('score', prepared, ids, weights);
      const numbers = all!.data as Float32Array;
      ids.forEach((id, i) => {
        const u = numbers.subarray(i * size, i * size + horizon * LEVELS.length);
        made.push({ horizon, levels: LEVELS, values: prepared.unscaled(id, u, LEVELS.length) });
      });
    }
    return made;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#sessions).map(session => session.release()));
  }

  #run(
    graph: GraphName,
    prepared: Prepared,
    ids: readonly number[],
    weights: Weights,
  ): Promise<InferenceSession.OnnxValueMapType & Record<string, Tensor>> {
    const session = this.#sessions[graph];
    const feeds: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const weight = weights.get(name);
      feeds[name] = weight
        ? new Tensor('float32', weight, this.backbone.shapes.get(name))
        : prepared.batch(name, ids);
    }
    return session.run(feeds) as Promise<InferenceSession.OnnxValueMapType & Record<string, Tensor>>;
  }
}

const portions = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / PORTION) }, (_, k) =>
    ids.slice(k * PORTION, (k + 1) * PORTION),
  );
