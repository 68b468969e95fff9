import type { SourceStatus } from './sources/state.js';

/** So many deliveries or runs of a source that fail in a row make it `failing`. */
export const FAILING_AFTER = 20;

/** What a source is to become by itself; null: it stays as it is. `failures`: in a row, up to now. */
export function dueOf(status: SourceStatus, failures: number): 'failing' | 'recovered' | null {
  if (status === 'active' && failures >= FAILING_AFTER) return 'failing';
  return status === 'failing' && failures === 0 ? 'recovered' : null;
}
