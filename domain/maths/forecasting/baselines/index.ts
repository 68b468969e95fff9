export { arima } from './arima/index.js';
export type { Baseline } from './baseline.js';
export { ets } from './ets/index.js';
export { drift, naive, seasonalNaive } from './naive.js';
export { theta } from './theta.js';
