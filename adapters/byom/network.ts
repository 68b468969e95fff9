import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { graphOf, type Signature } from '../../domain/byom/signature.js';
import { prepared } from '../../domain/models/graph.js';
import { inPlainWords } from '../onnx-faults.js';
import { SESSION_OPTIONS } from '../onnx.js';

/** What came out: the numbers as they are and in the units of the series, and their shape. */
export type Answered = {
  readonly raw: Float32Array | Float64Array;
  readonly values: Float64Array;
  readonly dims: readonly number[];
};

/** A network that was opened. */
export type OpenNetwork = { run(window: Float64Array): Promise<Answered> };

/** @throws Error that says in plain words why it cannot be opened, as `run` says why it cannot be run */
export async function openNetwork(path: string, signature: Signature): Promise<OpenNetwork> {
  const session = await InferenceSession.create(path, SESSION_OPTIONS).catch(plainly);
  const graph = graphOf(signature);
  const { name, type, channel } = graph.input;
  return {
    async run(window) {
      const { values, scale } = prepared(graph, window);
      const data = type === 'float32' ? Float32Array.from(values) : values;
      const { length } = values;
      const input = new Tensor(type, data, channel ? [1, length, 1] : [1, length]);
      const all = await session.run({ [name]: input }, [graph.output.name]).catch(plainly);
      const answered = all[graph.output.name]!;
      const raw = answered.data as Float32Array | Float64Array;
      const units = Float64Array.from(raw, value => value * scale.by + scale.from);
      return { raw, values: units, dims: answered.dims };
    },
  };
}

function plainly(fault: Error): never {
  throw new Error(inPlainWords(fault.message), { cause: fault });
}

export const runtime = (): string =>
  `onnxruntime-node ${env.versions.node ?? ''}, Node ${process.version}, one thread`;
