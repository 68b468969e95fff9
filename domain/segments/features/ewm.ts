import { itself, type FeatureMaker } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';

/**
 * The exponentially weighted mean, recursive: the first value, then alpha times the value and 1 - alpha times
 * the mean before. Over a hole, where it is null, the mean before loses weight as over any step.
 */
export const ewm: FeatureMaker<FeatureKinds['ewm']> = {
  names: itself,
  needs: ({ column }) => [{ column, back: 0 }],
  machine({ column, alpha }, making) {
    let mean = NaN;
    let weight = 1;
    return {
      run({ rows }) {
        const values = making.column(column).now(rows);
        const out = making.outs[0]!.now(rows);
        let [newest, left] = [mean, weight];
        for (let i = 0; i < rows; i++) {
          const value = values[i]!;
          left *= 1 - alpha;
          out[i] = NaN;
          if (Number.isNaN(value)) continue;
          if (Number.isNaN(newest)) newest = value;
          else if (newest !== value) newest = (left * newest + alpha * value) / (left + alpha);
          left = 1;
          out[i] = newest;
        }
        [mean, weight] = [newest, left];
      },
      save: state => state.put(mean, weight),
      load(state) {
        mean = state.take();
        weight = state.take();
      },
    };
  },
};
