import { ENTITY, TOTAL } from '../../domain/fleets/settings.js';
import { Rejected } from '../../domain/rejected.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { forecastAnswer } from './answer-schemas.js';
import { one, readAccess, tag, type FleetDeps } from './deps.js';
import { found } from './found.js';
import { forecastQuery, oneParams } from './schemas.js';
import { nodeView } from './views.js';

/** What the goals of a fleet forecast together. */
export const forecastRow = (deps: FleetDeps): Row =>
  row({
    method: 'get',
    path: `${one}/forecast`,
    operation: 'getFleetForecast',
    summary: 'Forecasts of a fleet: of its entities, of groups of them, and of all',
    description:
      'Of the newest forecasts of its goals, over the steps that most have. Unless the method is `none`, '
      + 'what is answered adds up to the last bit, mean by mean and quantile by quantile; a quantile of a '
      + 'sum is then the sum of quantiles: where it lies if all entities lie at theirs together. '
      + '`own_quantiles` is where the sum itself is expected.',
    tag,
    access: readAccess,
    policy: 'heavy',
    params: oneParams,
    query: forecastQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'A page of them, in order of their names', schema: forecastAnswer } },
    async run({ workspace, params, query }) {
      const { level, page, per_page: limit } = query;
      const doc = await found(deps, workspace, params.fleet_id);
      const names = [TOTAL, ENTITY, ...doc.state.settings.reconciliation.levels.map(({ name }) => name)];
      if (!names.includes(level))
        throw notValid([
          { loc: ['query', 'level'], msg: `must be one of ${names.join(', ')}`, type: 'enum', input: level },
        ]);
      const made = await deps.forecast(doc);
      if (!made)
        throw new Rejected('missing', 'not_found', 'The goals of the fleet have no forecast yet', {
          fleet_id: doc.fleet_id,
        });
      const { window, method, model, shrinkage, warnings } = made;
      const nodes = made.nodes.filter(node => node.level === level);
      const left_out = window.leftOut.map(({ entity, goalId, reason }) => ({
        ...{ entity, goal_id: goalId, reason },
      }));
      const data = {
        ...{ level, method, step_s: window.leaves[0]!.issued.stepS, model, shrinkage },
        forecasts: nodes.slice((page - 1) * limit, page * limit).map(node => nodeView(node, made)),
        ...{ left_out, warnings, ...perPage(query, nodes.length) },
      };
      return { body: { data } };
    },
  });
