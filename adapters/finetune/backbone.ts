import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shapes, Weights } from '../../domain/maths/finetuning/learned.js';
import { defaultFamilyDir, readModelFile, type ModelFile } from '../forecaster/files.js';
import { weightsIn } from './onnx-weights.js';

export const GRAPHS = ['prepare', 'score', 'train', 'head'] as const;
export type GraphName = (typeof GRAPHS)[number];

/** A model of our own as fine-tuning needs it: its weights, and the graphs that its recipe made beside it. */
export type Backbone = {
  readonly model: ModelFile;
  readonly shapes: Shapes;
  readonly weights: Weights;
  readonly graphs: Readonly<Record<GraphName, Uint8Array>>;
};

/** `<slug>.training.json`: which file these graphs were made from (`of`), and which they are. */
type Made = {
  readonly of: string;
  readonly files: Readonly<Record<GraphName, { readonly file: string; readonly sha256: string }>>;
};

const FOLDER = 'training';

/**
 * A slug of the first-party family.
 * @throws Error that names the file, when one is missing, differs, or was made from other weights
 */
export function readBackbone(slug: string, sha256: string, dir = defaultFamilyDir()): Backbone {
  const model = readModelFile(dir, slug, sha256);
  const made = JSON.parse(readFileSync(join(dir, FOLDER, `${slug}.training.json`), 'utf8')) as Made;
  if (made.of !== sha256) throw new Error(`${FOLDER}/${slug}.training.json belongs to another ${slug}`);
  const held = [...weightsIn(model.bytes)];
  const read = (name: GraphName): Uint8Array => {
    const { file, sha256 } = made.files[name];
    const bytes = readFileSync(join(dir, FOLDER, file));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${join(dir, FOLDER, file)} is not the file that was made for ${slug}`);
    return bytes;
  };
  return {
    model,
    shapes: new Map(held.map(([name, { shape }]) => [name, shape])),
    weights: new Map(held.map(([name, { values }]) => [name, values])),
    graphs: { prepare: read('prepare'), score: read('score'), train: read('train'), head: read('head') },
  };
}
