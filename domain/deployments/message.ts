import type { Status } from './state.js';

const RESIZING = 'its size is being changed';

/** What a deployment's state means to who sees it. */
const meanings: Readonly<Record<Status, string>> = {
  deploying: 'The serving pool is warming; forecasts are possible once it is deployed',
  deployed: 'Ready for forecasts',
  scaling: `Ready for forecasts; ${RESIZING}`,
  degraded: 'Forecasts are tried, and may fail',
  sleeping: 'It sleeps, and the next forecast wakes it',
  failed: 'It failed; see `error`, then retry or unpromote it',
  retiring: 'It takes no new forecasts; those under way come to their end',
  retired: 'It is retired',
};
const UNPROVED = 'Deployed, and no forward pass has worked within the last minute';
/** Where none has just worked, in those that are served; of a degraded one no other is expected. */
const unproved: Partial<Record<Status, string>> = {
  deployed: UNPROVED,
  scaling: `${UNPROVED}; ${RESIZING}`,
};

/** In these the last fact's own words say why; the reason of who retires it is theirs alone. */
const EXPLAINED: readonly Status[] = ['deployed', 'degraded', 'failed'];

type Shown = {
  readonly status: Status;
  /** Whether a forward pass has just worked. */
  readonly isReady: boolean;
  /** What the last fact said. */
  readonly note: string | null;
  /** Replicas that are to be kept ready, and the workers there are. */
  readonly least: number;
  readonly workers: number;
};

/** How a deployment is, in words: the same wherever it is told. */
export function messageOf({ status, isReady, note, least, workers }: Shown): string {
  const words = (!isReady && unproved[status]) || meanings[status];
  const few = status === 'scaling' && workers < least ? tooFew(least, workers) : null;
  const why = few ?? (EXPLAINED.includes(status) ? note : null);
  return why ? `${words}: ${why}` : words;
}

const tooFew = (least: number, workers: number): string =>
  `${least} workers are to be kept ready, and the serving pool has ${workers}; without more it goes back`;
