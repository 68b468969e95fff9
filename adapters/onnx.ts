import type { InferenceSession } from 'onnxruntime-node';

/** The newest that the runtime takes: the form of a file, and operators by their domain. */
export const NEWEST_FORM = 13;
export const NEWEST_OPERATORS: Readonly<Record<string, number>> = { '': 26, 'ai.onnx': 26, 'ai.onnx.ml': 5 };

/**
 * One run at a time on one thread with fixed settings: the same sums in the same order, the same bits every
 * time.
 */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
};
