import { writeFileSync } from 'node:fs';
import { readXgboost, stepsOnnx } from '../../domain/maths/trees/index.js';
import { jsonIn } from './linear-json.js';
import type { Order } from './messages.js';

/**
 * Trees of XGBoost whose features are the values of the lookback, oldest first, with an output for each step.
 * Writes them as ONNX.
 * @throws Malformed, or Rejected as `readXgboost` does
 */
export function xgboostNetwork({ path, made, signature }: Order): void {
  const { models } = readXgboost(jsonIn(path));
  const [input, output] = [signature.inputs[0]!.name, signature.outputs[0]!.name];
  writeFileSync(made, stepsOnnx(models, input, output));
}
