/**
 * So long a test waits for what it waits for before it says that it did not come about: a machine that does
 * much else besides takes a hundred times as long as an idle one.
 */
export const PATIENCE_MS = 100_000;
