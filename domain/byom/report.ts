import type { Graph } from '../models/graph.js';

/** What is looked at, in this order. */
export const CHECKS = [
  'checksum',
  'format_parses',
  'no_forbidden_ops',
  'signature_matches',
  'forward_pass',
  'output_shape',
  'finite_values',
  'repeatable',
  'sensitivity',
  'latency',
  'beats_naive',
] as const;
export type CheckName = (typeof CHECKS)[number];
export const CHECK_STATUSES = ['passed', 'failed', 'skipped', 'warning'] as const;

/** One thing that was looked at. `tookMs`: whole milliseconds. */
export type Check = {
  readonly name: CheckName;
  readonly status: (typeof CHECK_STATUSES)[number];
  readonly message: string;
  readonly tookMs: number;
};

/** The network that serves: its file, and how it is asked. */
export type Network = { readonly sha256: string; readonly bytes: number; readonly graph: Graph };

/** The lookback that was given last, and what came of it, in the units of the series. */
export type Sample = { readonly input: readonly number[]; readonly output: readonly number[] };

/** What a validation found. `runtime`: what ran it; null: nothing did. */
export type Findings = {
  readonly checks: readonly Check[];
  readonly sample: Sample | null;
  readonly runtime: string | null;
};

/** All checks in their order: those that were not come to are skipped. */
export const complete = (checks: readonly Check[]): Check[] =>
  CHECKS.map(
    name =>
      checks.find(check => check.name === name) ?? {
        ...{ name, status: 'skipped', tookMs: 0 },
        message: 'not come to',
      },
  );

export const hasFailed = (checks: readonly Check[]): boolean =>
  checks.some(({ status }) => status === 'failed');
