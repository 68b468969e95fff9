/** Errors below this share of the largest value are rounding: fits better than that are all the same. */
export const ERROR_FLOOR = 1e-10;
/** Minus twice the log-likelihood is found to about this. */
export const LIKELIHOOD_TOLERANCE = 1e-6;
