import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import type { Kind } from '../../domain/rejected.js';

/** A forecast that one process asks of another; structured clones, since numbers may be NaN. */
export type Asked = {
  readonly promotionId: string;
  /** Absent of a process of before there were any: its deployment's. */
  readonly lane?: string;
  readonly model: HostedModel;
  /** So many workers of the asked process may be at this deployment at once. */
  readonly workers: number;
  readonly series: readonly ForecastSeries[];
  readonly horizon: number;
};

/** Why it was not done: a refusal for the caller, or null for a fault of ours. */
export type NotDone = {
  readonly refused: {
    readonly kind: Kind;
    readonly code: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  readonly message: string;
};

/** The process that was asked is ending: another may do it. */
export const ENDING = 503;
export const REFUSED = 422;
export const FAULT = 500;

/** Bytes of one request at most: 1,024 series of 4,096 values, and some. */
export const LARGEST = 64 * 1024 * 1024;
/** Series of one request at most. */
const AT_ONCE = 1_024;
/** Half of a request is for numbers, 8 bytes each. */
const NUMBERS = LARGEST / 16;

/** How many of these series may go with one request, so that it is not too large; 1 at least. */
export function atOnce(series: readonly ForecastSeries[]): number {
  const longest = series.reduce((most, { values, covariates = {} }) => {
    const columns = Object.values(covariates);
    return Math.max(
      most,
      columns.reduce((sum, { length }) => sum + length, values.length),
    );
  }, 1);
  return Math.max(1, Math.min(AT_ONCE, Math.floor(NUMBERS / longest)));
}

const PURPOSE = 'presage: one process asks another for forecasts';
const LENGTH = 32;

/** What processes that share a secret know each other by; derived, so that it opens nothing else. */
export const internalToken = (secret: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, LENGTH)).toString('base64url');

/** Whether a header holds one of these tokens, found out in the same time whatever it holds. */
export function holdsToken(header: string | undefined, tokens: readonly string[]): boolean {
  const given = Buffer.from((header ?? '').replace(/^Bearer /, ''));
  return tokens.some(token => {
    const wanted = Buffer.from(token);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
