export { arima, frozenArima } from './arima/index.js';
export { summed, type Baseline, type Freeze, type Frozen, type Smoothing } from './baseline.js';
export { ets, frozenEts } from './ets/index.js';
export { frozenMstl, mstl, mstlWith } from './mstl/index.js';
export { drift, naive, seasonalNaive } from './naive.js';
export { frozenTheta, theta } from './theta.js';
