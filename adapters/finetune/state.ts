import { createHash } from 'node:crypto';
import type { FineTuneAsked } from '../../domain/trainings/fine-tuning.js';
import type { Curves } from './search.js';

type State = { readonly of: string; readonly curves: Curves };

/** What tells one fine-tuning from another: the whole table, the backbone, how it is trained. */
export function fingerprintOf({ table, backbone, ...asked }: FineTuneAsked): string {
  const hash = createHash('sha256');
  const { intensity, horizon, lookback, seed } = asked;
  const { step, folds } = table;
  hash.update(JSON.stringify({ backbone: backbone.sha256, intensity, horizon, lookback, seed, step, folds }));
  for (const { entity, times, columns } of table.series) {
    hash.update(JSON.stringify([entity, times.length]));
    for (const numbers of [times, columns[0]!])
      hash.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  }
  return hash.digest('hex');
}

export const stateOf = (of: string, curves: Curves): Uint8Array =>
  Buffer.from(JSON.stringify({ of, curves } satisfies State));

/** The curves of the same fine-tuning; null where the state is of another, or no state at all. */
export function curvesIn(state: Uint8Array | null | undefined, of: string): Curves | null {
  if (!state) return null;
  try {
    const read = JSON.parse(Buffer.from(state).toString()) as State;
    return read.of === of ? read.curves : null;
  } catch {
    return null;
  }
}
