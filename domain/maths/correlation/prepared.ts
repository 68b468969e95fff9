import { ranked, type Ranked } from '../statistics/correlation.js';
import { differences, standardised, type Standard } from '../statistics/series.js';
import type { CorrelationMethod, CorrelationVariable } from './answer.js';

/** A variable as it is compared with the others. */
export type PreparedVariable = {
  readonly key: string;
  readonly values: Float64Array;
  /** null: constant. */
  readonly standard: Standard | null;
  /** Where the method asks for them. */
  readonly ranks: Ranked | null;
};

/** Differences it where wanted, brings it to one size, and ranks it where the method asks for that. */
export function prepared(
  { key, values }: CorrelationVariable,
  method: CorrelationMethod,
  difference: boolean,
): PreparedVariable {
  const standard = standardised(values, difference);
  const raw = difference ? differences(values) : values;
  return {
    key,
    standard,
    values: standard?.values ?? raw.map(x => x - x), // NaN stays, all else is 0
    ranks: standard && method === 'spearman' ? ranked(raw) : null,
  };
}
