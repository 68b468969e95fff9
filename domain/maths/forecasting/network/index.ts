export { fitNetwork } from './fit.js';
export { predictNetwork, type Network } from './model.js';
export { networkOnnx } from './onnx.js';
export {
  DEFAULT_NETWORK,
  type NetworkFit,
  type NetworkOptions,
  type NetworkProgress,
  type NetworkRun,
  type Rows,
} from './options.js';
