import type { Started } from '../../commands/scenarios/starting.js';
import { contextOf } from '../edge/context.js';
import type { Answer } from '../edge/row.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { assumptionsIn } from './assumptions.js';
import { all, one, tag, writeAccess, type ScenarioDeps } from './deps.js';
import { found } from './found.js';
import * as schemas from './schemas.js';
import { scenarioView } from './views.js';

const errors = {
  402: ['insufficient_credits', 'price_above_max'],
  404: ['not_found', 'model_not_available'],
  409: ['invalid_state'],
  422: ['insufficient_history', 'invalid_series'],
} as const;
const queued = { description: 'It waits for its turn', schema: answers.queuedAnswer };

/** Scenarios are made and run. */
export const runningRows = (deps: ScenarioDeps): Row[] => [
  row({
    method: 'post',
    path: all,
    operation: 'createScenario',
    summary: 'Ask what would be if something else were so',
    description:
      'What a forecast would have been, by what it knew. Nothing that is assumed is written anywhere. One '
      + 'that is large is worked on later (202).',
    tag,
    access: writeAccess,
    policy: 'heavy',
    params: schemas.allParams,
    body: schemas.createBody,
    errors,
    answers: { 201: { description: 'What would be', schema: answers.oneAnswer }, 202: queued },
    async run(call) {
      const { workspace, params, body, caller, signal } = call;
      const { goal_id: goalId } = params;
      const { name, description = '', base = 'latest', horizon = null, max_credits, async } = body;
      const scenarioId = deps.newScenarioId();
      const scenario = {
        ...{ scenarioId, goalId, name, description, horizon, owner: caller.uid },
        base: base === 'latest' ? base : { forecastId: base },
        assumptions: assumptionsIn(body.assumptions),
      } as const;
      const asked = { isQueued: async ?? false, maxCredits: max_credits };
      const context = contextOf(call, deps.clock());
      const started = await deps.create(workspace, scenario, asked, context, signal);
      return answered(deps, workspace, goalId, scenarioId, started, 201);
    },
  }),
  row({
    method: 'post',
    path: `${one}/run`,
    operation: 'runScenario',
    summary: 'Run a scenario once more',
    description: 'One whose base is `latest` is run on the forecast that is the newest by now.',
    tag,
    access: writeAccess,
    policy: 'heavy',
    params: schemas.oneParams,
    body: schemas.runBody,
    errors,
    answers: { 200: { description: 'What would be', schema: answers.oneAnswer }, 202: queued },
    async run(call) {
      const { workspace, params, body, signal } = call;
      const { goal_id: goalId, scenario_id: scenarioId } = params;
      await found(deps, workspace, goalId, scenarioId);
      const asked = { isQueued: body.async ?? false, maxCredits: body.max_credits };
      const context = contextOf(call, deps.clock());
      const started = await deps.run({ workspace, scenarioId }, asked, context, signal);
      return answered(deps, workspace, goalId, scenarioId, started, 200);
    },
  }),
];

async function answered(
  deps: ScenarioDeps,
  workspace: string,
  goalId: string,
  scenarioId: string,
  { position, isQueued }: Started,
  status: number,
): Promise<Answer> {
  await deps.visible(position);
  if (isQueued) {
    const poll_url = `/v1/goals/${goalId}/scenarios/${scenarioId}`;
    const data = { scenario_id: scenarioId, status: 'queued', poll_url };
    return { status: 202, body: { status: 'queued', data } };
  }
  return { status, body: { data: scenarioView(await found(deps, workspace, goalId, scenarioId)) } };
}
