import type { SignalCommands } from '../../commands/signals.js';
import type { SignalQueries } from '../../projections/signals/queries.js';

export type SignalRoom = {
  readonly commands: SignalCommands; readonly queries: SignalQueries; readonly clock: () => number;
  /** Waits, a bounded time, until the read models of signals hold the fact at a position; null: nothing was written. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Signals';
export const reads = { kind: 'workspace', scope: 'signals.read' } as const;
export const writes = { kind: 'workspace', scope: 'signals.write' } as const;
