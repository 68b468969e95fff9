import { analyseCausality } from '../../../../domain/maths/causality/analysis.js';
import type { CausalityAnswer, PairResult } from '../../../../domain/maths/causality/answer.js';
import type { CausalitySettings } from '../../../../domain/maths/causality/input.js';

const defaults: CausalitySettings = {
  windows: 5,
  signalCount: 50,
  maxLag: null,
  significanceLevel: 0.05,
  difference: 'none',
};

/** An analysis with the settings of the API unless said otherwise. */
export const analyse = (
  variables: Readonly<Record<string, Float64Array>>,
  settings: Partial<CausalitySettings> = {},
): CausalityAnswer =>
  analyseCausality({
    variables: Object.entries(variables).map(([key, values]) => ({ key, values })),
    settings: { ...defaults, ...settings },
  });

export const pairOf = (answer: CausalityAnswer, name: string): PairResult =>
  answer.causality_results.granger_results[name]!;
