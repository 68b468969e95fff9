import { causality, correlation, relevance } from './analysis.js';
import type { TaskTable } from './compute.js';

/** What the compute pool can do: each a pure function of one input. Add one line for each heavy function. */
export const tasks = { causality, correlation, relevance } as const satisfies TaskTable;

export type Tasks = typeof tasks;
