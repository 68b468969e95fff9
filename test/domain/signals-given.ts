import type { RecordPoints, SignalCommand } from '../../domain/signals/commands.js';
import type { LiveSignal } from '../../domain/signals/state.js';
import type { PointsRecorded, PointsRevised, SignalFact } from '../../domain/signals/facts.js';
import { packed } from '../../domain/signals/points.js';

export const NOW = 5_000;
export const key = 'shop.orders';
export const of = { workspace: 'w', key };
export type Pairs = readonly (readonly [time: number, value: number])[];

export const columns = (pairs: Pairs) => ({
  times: pairs.map(([time]) => time),
  values: pairs.map(([, value]) => value),
});
export const push = (pairs: Pairs, over: Partial<RecordPoints['data']> = {}): SignalCommand => ({
  type: 'RecordPoints',
  data: { ...of, ...columns(pairs), unit: null, origin: 'api', now: NOW, ...over },
});
export const recorded = (pairs: Pairs, at?: number): PointsRecorded & { at?: number } => ({
  type: 'PointsRecorded',
  data: { key, points: packed(columns(pairs)), origin: 'api' },
  ...(at !== undefined && { at }),
});
export const revised = (
  pairs: Pairs,
  was: number[],
  since: PointsRevised['data']['since'],
  at?: number,
): PointsRevised & { at?: number } => ({
  type: 'PointsRevised',
  data: { key, points: packed(columns(pairs)), was, since, origin: 'api' },
  ...(at !== undefined && { at }),
});
export const reported = (unit: string): SignalFact => ({ type: 'SignalUnitReported', data: { key, unit } });
export const deleted: SignalFact = { type: 'SignalDeleted', data: { key } };
export const ramp = (length: number, from = 0): Pairs => Array.from({ length }, (_, i) => [from + 10 * i, i]);

export const snapshot = (over: Partial<LiveSignal> = {}): LiveSignal => ({
  status: 'live',
  last: 40,
  reportedUnit: null,
  unit: null,
  group: null,
  name: null,
  layers: [
    {
      points: packed(
        columns([
          [10, 1],
          [20, 2],
        ]),
      ),
      recorded: [
        [1, 100],
        [1, 110],
      ],
    },
    {
      points: packed(
        columns([
          [30, 3],
          [40, 4],
        ]),
      ),
      recorded: [[2, 120]],
    },
  ],
  ...over,
});
