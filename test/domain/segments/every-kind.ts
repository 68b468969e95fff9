import { CALENDAR_PARTS, ROLLING_FUNCTIONS, type Feature } from '../../../domain/segments/recipe.js';
import { feature } from './given.js';

/**
 * Each kind of feature, of each of these columns: a name ends with the number of its column. `y` and `x` must
 * be there, and what `news` does to the target.
 */
export const everyKindOf = (columns: readonly string[]): Feature[] => [
  ...columns.flatMap((column, i) => [
    feature(`lag${i}`, 'lag', { column, steps: 3 }),
    feature(`diff${i}`, 'diff', { column, steps: 2 }),
    ...ROLLING_FUNCTIONS.map(fn => feature(`${fn}${i}`, 'rolling', { column, window: 5, fn })),
    feature(`ewm${i}`, 'ewm', { column, alpha: 0.4 }),
    feature(`ratio${i}`, 'ratio', { numerator: column, denominator: 'x' }),
    feature(`product${i}`, 'interaction', { columns: ['y', column] }),
    feature(`expression${i}`, 'expression', { expression: `log(abs(\`${column}\`)) + lag(max(y, x), 2)` }),
  ]),
  ...CALENDAR_PARTS.map(part => feature(part, 'calendar', { part })),
  feature('wave', 'fourier', { period_s: 86_400, order: 2 }),
  feature('free', 'holiday', { country: 'DE' }),
  feature('answer', 'event_response', { stream: 'news' }),
];
