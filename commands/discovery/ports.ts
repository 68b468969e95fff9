import type { Source } from '../../domain/discovery/facts.js';
import type { EventSeen } from '../../domain/maths/effects/question.js';
import type { Columns } from '../../domain/signals/points.js';

/** What discoveries read of signals and streams: a workspace's own, and those that it subscribes to. */
export type DiscoveryReads = {
  /** Keys page by page, those with the newest points first. */
  readonly signals: (workspace: string) => AsyncIterable<readonly string[]>;
  /** Keys of streams that have events, page by page. */
  readonly streams: (workspace: string) => AsyncIterable<readonly string[]>;
  readonly isThere: (workspace: string, source: Source) => Promise<boolean>;
  /** Of a signal from one time to another (epoch ms, both included), as it was known then. */
  readonly points: (
    workspace: string,
    key: string,
    span: { readonly from: number; readonly to: number; readonly asOf: number },
  ) => AsyncIterable<Columns>;
  /** Of a stream the newest that occur in a span and were known then, at most so many. */
  readonly events: (
    workspace: string,
    key: string,
    span: { readonly from: number; readonly to: number; readonly asOf: number; readonly most: number },
  ) => Promise<readonly EventSeen[]>;
};
