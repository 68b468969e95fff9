import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { SESSION_OPTIONS } from '../onnx.js';
import type { ModelFile } from './files.js';

/** The two outputs of one series: quantiles [horizon x levels] row by row, and the embedding. */
export type Outputs = { readonly quantiles: Float64Array; readonly embedding: Float32Array };

export type Session = {
  run(series: ForecastSeries, horizon: number): Promise<Outputs>;
  close(): Promise<void>;
};

export const openSession = async ({ bytes }: Pick<ModelFile, 'bytes'>): Promise<Session> => {
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  return {
    async run(series, horizon) {
      const { quantiles, embedding } = await session.run(feedsOf(series, horizon));
      return { quantiles: quantiles?.data as Float64Array, embedding: embedding?.data as Float32Array };
    },
    close: () => session.release(),
  };
};

/**
 * A series is always a batch of its own: in a batch of several, ONNX Runtime multiplies matrices of another
 * size, which adds in another order, and most forecasts differ in their last bits.
 */
const feedsOf = ({ values, period }: ForecastSeries, horizon: number): InferenceSession.FeedsType => ({
  context: new Tensor('float64', values, [1, values.length]),
  period: new Tensor('int64', BigInt64Array.of(BigInt(period)), [1]),
  horizon: new Tensor('int64', BigInt64Array.of(BigInt(horizon)), [1]),
});
