import type { Correction } from '../../domain/maths/finetuning/residuals.js';
import type { Graph } from '../../domain/models/graph.js';
import type { ForecasterCaps } from '../../domain/maths/forecasting/forecaster.js';

// The file of an adapter over an imported model: eight letters, and the rest as JSON.

export type ResidualAdapter = {
  readonly schema: 1;
  /** Its file lies beside that of the adapter, by its hash. */
  readonly backbone: {
    readonly family: string;
    readonly slug: string;
    readonly sha256: string;
    readonly caps: ForecasterCaps;
    readonly quantiles: readonly number[];
    readonly graph: Graph | null;
  };
  readonly correction: Correction;
};

const MAGIC = Buffer.from('PRSGRSDL');

export const isResidualAdapter = (bytes: Uint8Array): boolean =>
  MAGIC.equals(bytes.subarray(0, MAGIC.length));

export const packResiduals = (adapter: ResidualAdapter): Uint8Array =>
  Buffer.concat([MAGIC, Buffer.from(JSON.stringify(adapter))]);

/** @throws Error where it is no such file */
export function readResiduals(bytes: Uint8Array): ResidualAdapter {
  if (!isResidualAdapter(bytes)) throw new Error('the file is no adapter over an imported model');
  const adapter = JSON.parse(Buffer.from(bytes.subarray(MAGIC.length)).toString()) as ResidualAdapter;
  if (adapter.schema !== 1) throw new Error(`an adapter of form ${String(adapter.schema)} is not known here`);
  return adapter;
}
