import { openSync, readSync, closeSync } from 'node:fs';
import type { Format } from '../../domain/byom/signature.js';
import type { Structure } from '../../domain/byom/structure.js';
import { Malformed } from './proto-file.js';
import { structureOf } from './onnx-structure.js';
import type { Order } from './messages.js';
import { linearNetwork } from './linear-json.js';
import { xgboostNetwork } from './xgboost-json.js';

/** A file that was read: the network that it is, or the runtime that there is not. */
export type Parsed =
  | { readonly network: string; readonly structure: Structure; readonly message: string }
  | { readonly missing: string; readonly message: string };

/** @throws Malformed that says what is wrong with the file */
export function parsed(order: Order): Parsed {
  const { path, format } = order;
  if (format === 'onnx') return ofOnnx(path);
  if (format === 'linear_json') return { ...made(order, linearNetwork), message: 'a linear model' };
  if (format === 'xgboost_json') return { ...made(order, xgboostNetwork), message: 'trees of XGBoost' };
  return ofZip(path, format);
}

function ofOnnx(path: string): Parsed {
  const structure = structureOf(path);
  const { nodes, tensors, opsets } = structure;
  const sets = Object.entries(opsets).map(([domain, version]) => `${domain || 'ai.onnx'} ${version}`);
  const message = `${nodes} nodes, ${tensors} tensors; operators of ${sets.join(', ')}`;
  return { network: path, structure, message };
}

/** What was made of a file, which is read again as strictly as any. */
function made(order: Order, make: (order: Order) => void) {
  make(order);
  return { network: order.made, structure: structureOf(order.made) };
}

const RUNTIMES: Readonly<Partial<Record<Format, string>>> = {
  torchscript: 'TorchScript runs in libtorch, which is not here: export the model as ONNX',
  tf_savedmodel_zip: 'a TF SavedModel runs in TensorFlow, which is not here: export the model as ONNX',
};

function ofZip(path: string, format: Format): Parsed {
  const head = Buffer.alloc(4);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, 4, 0);
  } finally {
    closeSync(fd);
  }
  if (head.toString('latin1') !== 'PK\u0003\u0004') throw new Malformed('the file is no zip archive');
  return { missing: RUNTIMES[format]!, message: 'a zip archive; what is in it was not looked at' };
}
