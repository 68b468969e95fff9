export { fitQuantileTrees, fitTrees } from './fit.js';
export { importanceOf, type Columns, type QuantileTrees, type Tree, type TreesModel } from './model.js';
export {
  DEFAULT_TREES,
  type TreesFit,
  type TreesLoss,
  type TreesOptions,
  type TreesProgress,
  type TreesRun,
} from './options.js';
export { predictQuantiles, predictTrees } from './predict.js';
export { stepsOnnx, treesOnnx } from './onnx.js';
export { xgboostJson } from './xgboost.js';
export { readXgboost, type ReadXgboost } from './xgboost-read.js';
