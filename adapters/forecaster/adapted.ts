import { InferenceSession, Tensor } from 'onnxruntime-node';
import { addLearned } from '../../domain/maths/finetuning/learned.js';
import { readAdapter, type Adapter } from '../finetune/adapter-file.js';
import { transposed, weightsIn, withWeightInputs, type WeightInput } from '../finetune/onnx-weights.js';
import { SESSION_OPTIONS } from '../onnx.js';
import { defaultFamilyDir, readBackboneFile } from './files.js';

/** A network with weights that are given to it anew at each run. */
export type Adapted = {
  readonly session: InferenceSession;
  /** By name of the input: what an adapter made of the weights of the backbone. */
  readonly weights: Readonly<Record<string, Tensor>>;
  /** The newest values that it was fitted to read. */
  readonly lookback: number;
};

type Shared = {
  readonly session: InferenceSession;
  readonly inputs: ReadonlyMap<string, WeightInput>;
  readonly base: ReadonlyMap<string, Float32Array>;
};

/**
 * By backbone and the weights that come in. All adapters of one depth share it: it takes some ten megabytes,
 * their weights less than one.
 */
const opened = new Map<string, Promise<Shared>>();

/** An adapter over its backbone, a model of our own. @throws Error where either is not what it should be */
export async function openAdapted(file: Uint8Array, dir = defaultFamilyDir()): Promise<Adapted> {
  const adapter = readAdapter(file);
  const { slug, sha256 } = adapter.head.backbone;
  const names = adapter.parts.map(({ name }) => name);
  const key = [sha256, ...names].join(' ');
  const known = opened.get(key) ?? openShared(readBackboneFile(dir, slug, sha256), names);
  opened.set(key, known);
  try {
    const { session, inputs, base } = await known;
    return { session, weights: weightsOf(adapter, inputs, base), lookback: adapter.head.lookback };
  } catch (error) {
    opened.delete(key);
    throw error;
  }
}

async function openShared(backbone: Uint8Array, names: readonly string[]): Promise<Shared> {
  const { file, inputs } = withWeightInputs(backbone, names);
  const base = new Map<string, Float32Array>();
  for (const [name, { values }] of weightsIn(backbone)) if (inputs.has(name)) base.set(name, values);
  const missing = names.filter(name => !base.has(name));
  if (missing.length > 0) throw new Error(`the backbone of the adapter has no ${missing.join(', ')}`);
  return { session: await InferenceSession.create(file, SESSION_OPTIONS), inputs, base };
}

function weightsOf(
  { parts, theta }: Adapter,
  inputs: ReadonlyMap<string, WeightInput>,
  base: ReadonlyMap<string, Float32Array>,
): Record<string, Tensor> {
  const weights = new Map([...base].map(([name, values]) => [name, values.slice()]));
  addLearned(parts, theta, 1, base, weights);
  const fed = parts.map(({ name, shape }): [string, Tensor] => {
    const { input, shape: dims, isTransposed } = inputs.get(name)!;
    const values = weights.get(name)!;
    const data = isTransposed ? transposed(values, shape[0]!, shape[1]!) : values;
    return [input, new Tensor('float32', data, dims)];
  });
  return Object.fromEntries(fed);
}
