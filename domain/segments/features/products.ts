import { itself, type FeatureMaker } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';

/** One column divided by another. */
export const ratio: FeatureMaker<FeatureKinds['ratio']> = {
  names: itself,
  needs: ({ numerator, denominator }) => [
    { column: numerator, back: 0 },
    { column: denominator, back: 0 },
  ],
  machine({ numerator, denominator }, { column, outs }) {
    return {
      run({ rows }) {
        const above = column(numerator).now(rows);
        const below = column(denominator).now(rows);
        const out = outs[0]!.now(rows);
        for (let i = 0; i < rows; i++) out[i] = above[i]! / below[i]!;
      },
    };
  },
};

/** The product of columns. */
export const interaction: FeatureMaker<FeatureKinds['interaction']> = {
  names: itself,
  needs: ({ columns }) => columns.map(column => ({ column, back: 0 })),
  machine({ columns }, { column, outs }) {
    return {
      run({ rows }) {
        const out = outs[0]!.now(rows).fill(1);
        for (const name of columns) {
          const values = column(name).now(rows);
          for (let i = 0; i < rows; i++) out[i]! *= values[i]!;
        }
      },
    };
  },
};
