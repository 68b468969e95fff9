import type { InferenceSession } from 'onnxruntime-node';

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
