import { row, type Row } from '../edge/row.js';
import { analysisRows } from './analysis.js';
import { deletionRows } from './deletion.js';
import { labelRows } from './labels.js';
import { listRows } from './list.js';
import { overviewRows } from './overview.js';
import { pointRows } from './points.js';
import { pushRows } from './push.js';
import { reads, tag, type SignalDeps } from './deps.js';
import * as schemas from './schemas.js';

/** Continuous time series: spec 4.3. */
export const signalRows = (deps: SignalDeps): Row[] => [
  ...pushRows(deps),
  ...listRows(deps),
  ...overviewRows(deps),
  ...labelRows(deps),
  ...deletionRows(deps),
  ...pointRows(deps),
  ...analysisRows(deps.analysis),
  row({
    method: 'get',
    path: '/v1/signal/has-data',
    operation: 'hasData',
    summary: 'Whether there are signals, and how many',
    tag,
    access: reads,
    answers: { 200: { description: 'A bare object', schema: schemas.hasDataAnswer } },
    async run({ workspace }) {
      const { signals } = await deps.queries.totals(workspace);
      const count = signals + (await deps.catalogue.aliases(workspace)).length;
      return { body: { has_data: count > 0, signal_count: count } };
    },
  }),
];
