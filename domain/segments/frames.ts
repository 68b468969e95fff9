import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import type { SegmentBuilt, SegmentFact, SegmentWentStale } from './facts.js';
import type { Status } from './state.js';

/** How a segment stood after a fact; null: it is gone. */
export type After = (fact: Fact<SegmentFact>) => Promise<{
  readonly status: Status;
  readonly version: number;
} | null>;

/** What is told of segments. */
export function segmentFrames(after: After): Frames {
  const updated: Tells = {
    event: 'segment.updated',
    channels: inWorkspace,
    async data(fact: Fact<SegmentFact>) {
      const { segmentId: segment_id } = fact.data;
      if (fact.type === 'SegmentDeleted') return { segment_id, status: 'deleted', version: null };
      const segment = await after(fact);
      return segment && { segment_id, status: segment.status, version: segment.version };
    },
  };
  const ready: Tells = {
    event: 'segment.ready',
    channels: inWorkspace,
    async data(fact: Fact<SegmentBuilt>) {
      const { segmentId: segment_id, version, table } = fact.data;
      return { segment_id, version, table_hash: table.table_hash };
    },
  };
  const stale: Tells = {
    event: 'segment.stale',
    channels: inWorkspace,
    async data({ data }: Fact<SegmentWentStale>) {
      return { segment_id: data.segmentId, changed_rows: data.changedRows };
    },
  };
  return {
    ...Object.fromEntries(told.map(type => [type, updated])),
    SegmentBuilt: [updated, ready],
    SegmentWentStale: [updated, stale],
  };
}

const told = [
  'SegmentCreated',
  'SegmentRenamed',
  'SegmentRevised',
  'SegmentRebuildRequested',
  'SegmentBuildFailed',
  'SegmentDeleted',
] as const satisfies readonly SegmentFact['type'][];
