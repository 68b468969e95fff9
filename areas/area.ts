import type { Row } from '../api/edge/row.js';
import type { Fact } from '../domain/fact.js';
import type { Notices } from '../domain/notifications/notice.js';
import type { Frames } from '../domain/realtime/frame.js';
import type { Projection } from '../projections/engine/projection.js';
import type { Running } from '../workers/engine/follow.js';
import { leader } from '../workers/engine/leader.js';
import { type Reactor, react } from '../workers/engine/reactor.js';
import type { Kernel } from './kernel.js';
import { watchedReactor } from './watching.js';

/** What an area brings. Everything else that it returns is for the areas that are built on it. */
export type Area = {
  /** As in its paths, folders and tests. */
  readonly name: string;
  readonly rows?: readonly Row[];
  readonly reactors?: readonly Reactor[];
  readonly schedulers?: Readonly<Record<string, () => Running>>;
  /** What runs in each process that serves models; `first`: when those of the start are loaded. */
  readonly serving?: () => Running & { readonly first: Promise<void> };
  /** What runs in each process that trains. */
  readonly training?: () => Running;
  /** What the realtime gateway tells of the area's facts, once its read models hold them (`shown`). */
  readonly frames?: { readonly of: Frames; readonly shown: (position: number) => Promise<void> };
  /** What people are notified of. */
  readonly notices?: Notices;
  /** After a page of facts was projected in this process. */
  readonly projected?: (p: Projection, page: readonly Fact[]) => void;
};

/** Checks what an area brings, and keeps its own type for the areas that are built on it. */
export const area = <A extends Area>(brings: A): A => brings;

/**
 * Starts what follows from facts, and from time, in the areas: each done by one process at a time, where
 * several share the stores.
 */
export function startWork(areas: readonly Area[], kernel: Kernel, holder: string): Running[] {
  const { stores, presence, clock, log, handle, load, watcher } = kernel;
  const { events: store, models } = stores;
  const reacting = { store, models, kv: stores.kv, clock, log, deps: { handle, load } };
  const kv = stores.shared ? stores.kv : null;
  const alone = (name: string, start: (fence?: () => number) => Running) =>
    leader({ name, start, kv, presence, holder, clock, log });
  return areas.flatMap(({ reactors = [], schedulers = {} }) => [
    ...reactors
      .map(each => watchedReactor(each, watcher))
      .map(each => alone(`reactor ${each.name}`, fence => react(each, { ...reacting, fence }))),
    ...Object.entries(schedulers).map(([name, start]) => alone(`scheduler ${name}`, start)),
  ]);
}
