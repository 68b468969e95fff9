import type { Platform } from '../../main.js';

/**
 * What a job says, one JSON line each where it travels: something found, how far it is, what came of it, why
 * it ended.
 */
export type Output =
  | { readonly kind: 'row'; readonly row: unknown }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string; readonly code: number };

export type JobContext<P = Platform> = {
  readonly platform: P;
  /** Where the API of this platform is reached. */
  readonly base: string;
  /** Aborted when nobody waits for the job any more. */
  readonly signal: AbortSignal;
};

/**
 * An operator's command. The same function runs inside a running platform, asked through its socket, or in
 * the process of the command line, over stores that it opened itself. `options` come as JSON;
 * `P`: what it needs of the platform.
 */
export type Job<O = never, P = Platform> = (context: JobContext<P>, options: O) => AsyncGenerator<Output>;

export const row = (found: unknown): Output => ({ kind: 'row', row: found });
export const progress = (so_far: unknown): Output => ({ kind: 'progress', progress: so_far });
export const result = (outcome: unknown): Output => ({ kind: 'result', result: outcome });
