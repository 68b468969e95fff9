import type { ByomValidationEndedAs } from '../../domain/byom/facts.js';
import type { Findings } from '../../domain/byom/report.js';
import type { Format, Signature } from '../../domain/byom/signature.js';

/** The end of a series, NaN where missing, and its season in steps (1: none). */
export type SampleSeries = {
  readonly values: Float64Array;
  readonly period: number;
  /** Where it comes from, in words. */
  readonly source: string;
};

/** What is validated. `series` null: one that is made for it. */
export type ByomAsked = {
  readonly format: Format;
  readonly sha256: string;
  readonly signature: Signature;
  readonly series: SampleSeries | null;
};

/** `network`: the file that serves, at a path that ends with the work done on it; null unless validated. */
export type ByomFound = Findings & { readonly as: ByomValidationEndedAs; readonly network: string | null };

/**
 * Looks at a file in a process of its own, with bounds of memory and time: whatever the file does, it does
 * it there. `work` is done with what was found, before anything that was made is taken away.
 * @throws Cancelled when the signal ends; Error where the process could not be begun
 */
export type ValidateByom = <T>(
  path: string,
  asked: ByomAsked,
  signal: AbortSignal,
  work: (found: ByomFound) => Promise<T>,
) => Promise<T>;
