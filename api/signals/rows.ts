import { row, type Row } from '../row.js';
import { pushRows } from './push.js';
import { reads, tag, type SignalRoom } from './room.js';
import * as schemas from './schemas.js';

/** Continuous time series: spec 4.3. */
export const signalRows = (room: SignalRoom): Row[] => [
  ...pushRows(room),
  row({
    method: 'get', path: '/v1/signal/has-data', operation: 'hasData', summary: 'Whether there are signals, and how many', tag, access: reads,
    answers: { 200: { description: 'A bare object', schema: schemas.hasDataAnswer } },
    async run({ workspace }) {
      const { signals } = await room.queries.totals(workspace);
      return { body: { has_data: signals > 0, signal_count: signals } };
    },
  }),
];
