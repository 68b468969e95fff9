import { goalNotFound } from '../../domain/goals/refusals.js';
import { invalidState } from '../../domain/scenarios/refusals.js';
import type { ScenarioDoc } from '../../projections/scenarios/documents.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import * as answers from './answer-schemas.js';
import { all, one, readAccess, tag, writeAccess, type ScenarioDeps } from './deps.js';
import { found } from './found.js';
import * as schemas from './schemas.js';
import { runningRows } from './running.js';
import { comparedView, scenarioView } from './views.js';

const missing = { 404: ['not_found'] };

/** What would be of a goal, if something else were so: open-parts 17. */
export const scenarioRows = (deps: ScenarioDeps): Row[] => [
  ...runningRows(deps),
  ...readRows(deps),
  compareRow(deps),
  deleteRow(deps),
];

const readRows = (deps: ScenarioDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listScenarios',
    summary: 'List the scenarios of a goal',
    tag,
    access: readAccess,
    params: schemas.allParams,
    query: schemas.listQuery,
    errors: missing,
    answers: { 200: { description: 'Newest first', schema: answers.listAnswer } },
    async run({ workspace, params: { goal_id }, query }) {
      if (!(await deps.hasGoal(workspace, goal_id))) throw goalNotFound();
      const { page, per_page: limit, status = null } = query;
      const paging = { offset: (page - 1) * limit, limit };
      const { items, total } = await deps.queries.page(workspace, goal_id, status, paging);
      return { body: { data: { scenarios: items.map(scenarioView), ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getScenario',
    summary: 'One scenario',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    versioned: true,
    errors: missing,
    answers: { 200: { description: 'As it is now', schema: answers.oneAnswer } },
    async run({ workspace, params: { goal_id, scenario_id } }) {
      const doc = await found(deps, workspace, goal_id, scenario_id);
      const data = scenarioView(doc);
      return { body: { data }, etag: versionedTag(doc.state.run.run, data) };
    },
  }),
];

const compareRow = (deps: ScenarioDeps): Row =>
  row({
    method: 'post',
    path: `${all}/compare`,
    operation: 'compareScenarios',
    summary: 'Scenarios beside each other',
    description: 'At the steps that all have. Nothing is worked out anew.',
    tag,
    access: readAccess,
    params: schemas.allParams,
    body: schemas.compareBody,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'Each, and how far it is from its base', schema: answers.compareAnswer } },
    async run({ workspace, params: { goal_id }, body }) {
      const docs: ScenarioDoc[] = [];
      for (const id of body.ids) {
        const doc = await found(deps, workspace, goal_id, id);
        if (doc.status !== 'completed') throw invalidState(doc.status, `be compared: ${id}`);
        docs.push(doc);
      }
      return { body: { data: comparedView(docs) } };
    },
  });

const deleteRow = (deps: ScenarioDeps): Row =>
  row({
    method: 'delete',
    path: one,
    operation: 'deleteScenario',
    summary: 'Delete a scenario',
    description: 'One that is not over is called off, and costs nothing. Each run makes a version.',
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    query: dryQuery,
    versioned: true,
    errors: { ...missing, 409: ['version_conflict'] },
    answers: { 200: { description: 'It is no longer there', schema: answers.deletedAnswer } },
    async run(call) {
      const { workspace, params, query, ifMatch } = call;
      const { scenario_id: scenarioId } = await found(deps, workspace, params.goal_id, params.scenario_id);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const { position } = await by.remove({ workspace, scenarioId }, versionIn(ifMatch), context);
      if (query.dry_run) return wouldBe({ scenario_id: scenarioId });
      await deps.visible(position);
      return { body: { status: 'deleted' } };
    },
  });
