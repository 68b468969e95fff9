import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { forecastTrained } from '../../domain/models/forecast-trained.js';
import type { RunGraph, TrainedModel } from '../../domain/models/trained.js';
import { SESSION_OPTIONS } from '../onnx.js';

/** A model that was trained here, opened; `bytes` of its graph, where it has one. */
export async function openTrained(model: TrainedModel, bytes: Uint8Array) {
  const session = model.hasGraph ? await InferenceSession.create(bytes, SESSION_OPTIONS) : null;
  const run = session && runOf(session);
  return {
    /** The quantiles of the next steps, row by row. */
    forecast: async (series: ForecastSeries, horizon: number): Promise<Float64Array> =>
      (await forecastTrained(model, series, horizon, run)).values,
    close: async (): Promise<void> => session?.release(),
  };
}

/** Its first input is [rows, width], its first output has a row for each. */
function runOf(session: InferenceSession): RunGraph {
  const [input] = session.inputNames as [string];
  const [output] = session.outputNames as [string];
  return async (numbers, width) => {
    const tensor = new Tensor('float32', Float32Array.from(numbers), [numbers.length / width, width]);
    const answered = await session.run({ [input]: tensor }, [output]);
    return Float64Array.from(answered[output]!.data as Float32Array);
  };
}
