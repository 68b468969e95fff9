import { InferenceSession, Tensor } from 'onnxruntime-node';
import { contextOf, type ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { prepared, quantilesOf, type Graph } from '../../domain/models/graph.js';
import { SESSION_OPTIONS } from '../onnx.js';
import type { ModelFile } from './files.js';

/** The two outputs of one series: quantiles [horizon x levels] row by row, and the embedding. */
export type Outputs = { readonly quantiles: Float64Array; readonly embedding: Float32Array };

export type Session = {
  run(series: ForecastSeries, horizon: number): Promise<Outputs>;
  close(): Promise<void>;
};

type Opened = Pick<ModelFile, 'bytes'> & {
  readonly manifest?: Pick<ModelFile['manifest'], 'caps' | 'graph'>;
};

/** `manifest`: for what is not of the form of the first-party models. */
export const openSession = async ({ bytes, manifest }: Opened): Promise<Session> => {
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const graph = manifest?.graph;
  return {
    run: graph
      ? (series, horizon) => runGraph(session, { graph, caps: manifest.caps }, series, horizon)
      : (series, horizon) => runOwn(session, series, horizon),
    close: () => session.release(),
  };
};

async function runOwn(session: InferenceSession, series: ForecastSeries, horizon: number): Promise<Outputs> {
  const { quantiles, embedding } = await session.run(feedsOf(series, horizon));
  return { quantiles: quantiles?.data as Float64Array, embedding: embedding?.data as Float32Array };
}

/**
 * A series is always a batch of its own: in a batch of several, ONNX Runtime multiplies matrices of another
 * size, which adds in another order, and most forecasts differ in their last bits.
 */
const feedsOf = ({ values, period }: ForecastSeries, horizon: number): InferenceSession.FeedsType => ({
  context: new Tensor('float64', values, [1, values.length]),
  period: new Tensor('int64', BigInt64Array.of(BigInt(period)), [1]),
  horizon: new Tensor('int64', BigInt64Array.of(BigInt(horizon)), [1]),
});

type Imported = Pick<ModelFile['manifest'], 'caps'> & { readonly graph: Graph };

/** The network answers all its steps at once, however few are asked for. */
async function runGraph(
  session: InferenceSession,
  { graph, caps }: Imported,
  { values, period }: ForecastSeries,
  horizon: number,
): Promise<Outputs> {
  const series = contextOf(values, caps);
  const ready = prepared(graph, series);
  const { name, type, channel } = graph.input;
  const length = ready.values.length;
  const data = type === 'float32' ? Float32Array.from(ready.values) : ready.values;
  const input = new Tensor(type, data, channel ? [1, length, 1] : [1, length]);
  const answered = await session.run({ [name]: input }, [graph.output.name]);
  const numbers = answered[graph.output.name]!.data as Float32Array | Float64Array;
  const asked = { series, period, horizon, steps: caps.horizon };
  return { quantiles: quantilesOf(graph, numbers, ready, asked), embedding: new Float32Array(0) };
}
