import { InferenceSession, Tensor } from 'onnxruntime-node';
import { contextOf, type ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { corrected } from '../../domain/maths/finetuning/residuals.js';
import { levelsOf, prepared, quantilesOf, type Graph } from '../../domain/models/graph.js';
import type { TrainedModel } from '../../domain/models/trained.js';
import { isAdapter } from '../finetune/adapter-file.js';
import { isResidualAdapter, readResiduals } from '../finetune/residual-file.js';
import { SESSION_OPTIONS } from '../onnx.js';
import { openAdapted } from './adapted.js';
import { readByHash, type ModelFile } from './files.js';
import { openTrained } from './trained.js';

/** The two outputs of one series: quantiles [horizon x levels] row by row, and the embedding. */
export type Outputs = { readonly quantiles: Float64Array; readonly embedding: Float32Array };

export type Session = {
  run(series: ForecastSeries, horizon: number): Promise<Outputs>;
  close(): Promise<void>;
};

type Opened = Pick<ModelFile, 'bytes'> & {
  readonly manifest?: Pick<ModelFile['manifest'], 'caps' | 'graph' | 'trained'>;
  /** Where the files of models lie: an adapter over an imported model is opened with that. */
  readonly folder?: string;
};

/** `manifest`: for what is not of the form of the first-party models. */
export const openSession = async ({ bytes, manifest, folder }: Opened): Promise<Session> => {
  if (manifest?.trained) return trainedSession(manifest.trained, bytes);
  if (isAdapter(bytes)) return adaptedSession(bytes);
  if (isResidualAdapter(bytes)) return correctedSession(bytes, folder ?? '');
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const graph = manifest?.graph;
  return {
    run: graph
      ? (series, horizon) => runGraph(session, { graph, caps: manifest.caps }, series, horizon)
      : (series, horizon) => runOwn(session, series, horizon),
    close: () => session.release(),
  };
};

async function trainedSession(model: TrainedModel, bytes: Uint8Array): Promise<Session> {
  const { forecast, close } = await openTrained(model, bytes);
  const embedding = new Float32Array(0);
  return {
    run: async (series, horizon) => ({ quantiles: await forecast(series, horizon), embedding }),
    close,
  };
}

/** The session is shared by all adapters of a backbone, and stays. */
async function adaptedSession(file: Uint8Array): Promise<Session> {
  const { session, weights, lookback } = await openAdapted(file);
  return {
    run({ values, period }, horizon) {
      const series = { values: contextOf(values, { context: lookback, horizon }), period };
      return runOwn(session, series, horizon, weights);
    },
    async close() {},
  };
}

/** An imported model, whose forecasts are moved and stretched. */
async function correctedSession(file: Uint8Array, folder: string): Promise<Session> {
  const { backbone, correction } = readResiduals(file);
  const { caps, graph, sha256 } = backbone;
  const inner = await openSession({ bytes: readByHash(folder, sha256), manifest: { caps, graph } });
  const levels = levelsOf(backbone);
  return {
    async run({ values, period }, horizon) {
      const context = contextOf(values, caps);
      const { quantiles, embedding } = await inner.run({ values: context, period }, horizon);
      const forecast = { horizon, levels, values: quantiles };
      return { quantiles: corrected({ forecast, context, period }, correction).values, embedding };
    },
    close: () => inner.close(),
  };
}

/** `weights`: of an adapter, where the network is given them. */
async function runOwn(
  session: InferenceSession,
  series: ForecastSeries,
  horizon: number,
  weights: InferenceSession.FeedsType = {},
): Promise<Outputs> {
  const { quantiles, embedding } = await session.run({ ...feedsOf(series, horizon), ...weights });
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
