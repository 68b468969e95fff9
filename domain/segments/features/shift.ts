import { itself, type FeatureMaker } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';

/** The value of so many steps before. */
export const lag: FeatureMaker<FeatureKinds['lag']> = {
  names: itself,
  needs: ({ column, steps }) => [{ column, back: steps }],
  machine({ column, steps }, making) {
    const { values, back } = making.column(column);
    const out = making.outs[0]!;
    return {
      run: ({ rows }) => out.values.set(values.subarray(back - steps, back - steps + rows), out.back),
    };
  },
};

/** The value less that of so many steps before. */
export const diff: FeatureMaker<FeatureKinds['diff']> = {
  names: itself,
  needs: ({ column, steps }) => [{ column, back: steps }],
  machine({ column, steps }, making) {
    const { values, back } = making.column(column);
    return {
      run({ rows }) {
        const out = making.outs[0]!.now(rows);
        for (let i = 0; i < rows; i++) out[i] = values[back + i]! - values[back + i - steps]!;
      },
    };
  },
};
