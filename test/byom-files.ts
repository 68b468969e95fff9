import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initializer, node, onnxModel, tensorInfo } from './onnx-bytes.js';
import type { Signature } from '../domain/byom/signature.js';

/** A file of test/data/byom, made by others' libraries (recipe.py beside them). */
export const given = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../test/data/byom/${name}`, import.meta.url)));

export const LOOKBACK = 24;
export const HORIZON = 6;

/** Of all files here: a lookback of 24, a horizon of 6. */
export const signatureOf = (over: Partial<Signature> = {}): Signature => ({
  inputs: [{ name: 'series', dtype: 'float32', shape: ['batch', LOOKBACK] }],
  outputs: [{ name: 'variable', dtype: 'float32', shape: ['batch', HORIZON] }],
  lookback: LOOKBACK,
  horizon: HORIZON,
  quantiles: null,
  normalization: 'caller',
  ...over,
});

type Written = {
  readonly nodes: readonly Uint8Array[];
  readonly output?: string;
  readonly more?: readonly Uint8Array[];
  readonly opsets?: Readonly<Record<string, number>>;
};

/** A file written here: `series` goes in as it stands in the signature, `variable` comes out. */
export const written = ({ nodes, more = [], opsets, output = 'variable' }: Written): Buffer =>
  onnxModel(
    [...nodes, ...more, tensorInfo(11, 'series', [null, LOOKBACK]), tensorInfo(12, output, [null, HORIZON])],
    opsets,
  );

/** Weights that repeat the newest values. */
export const weights = (value = 1): Buffer => {
  const all = new Float32Array(LOOKBACK * HORIZON);
  for (let h = 0; h < HORIZON; h++) all[(LOOKBACK - HORIZON + h) * HORIZON + h] = value;
  return initializer('w', [LOOKBACK, HORIZON], all);
};
export const product = node('MatMul', ['series', 'w'], ['variable']);
