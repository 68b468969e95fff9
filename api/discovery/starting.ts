import type { Source } from '../../domain/discovery/facts.js';
import type { FromSchema } from '../../json-schema.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import { contextOf } from '../edge/context.js';
import { notValid, type Fault } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { all, tag, writeAccess, type DiscoveryDeps } from './deps.js';
import * as answers from './answer-schemas.js';
import * as schemas from './schemas.js';

/** Where a run is looked at, and that it waits. */
export const queued = (goalId: string, discoveryId: string) => ({
  status: 'queued',
  data: {
    ...{ discovery_id: discoveryId, status: 'queued' },
    poll_url: `/v1/goals/${goalId}/discovery/${discoveryId}`,
  },
});

export const startRow = (deps: DiscoveryDeps): Row =>
  row({
    method: 'post',
    path: all,
    operation: 'startDiscovery',
    summary: 'Look for what drives a goal',
    description:
      'Each source is tested beside the others, against its own times shifted, and out of sample, with what '
      + 'is known now. What is found becomes an edge. It runs beside serving, one at a time of a goal; up '
      + 'to ten wait.',
    tag,
    access: writeAccess,
    policy: 'heavy',
    params: schemas.allParams,
    body: schemas.startBody,
    errors: { 404: ['not_found'], 409: ['invalid_state', 'discovery_running'] },
    answers: { 202: { description: 'It waits for its turn', schema: answers.startedAnswer } },
    async run(call) {
      const { workspace, params, body } = call;
      const { goal_id: goalId } = params;
      const goal = await deps.goal(workspace, goalId);
      if (!goal) throw goalNotFound();
      const faults = [
        ...faultsOf(body, goal.state.settings.stepS),
        ...(await unknownIn(deps, workspace, 'signal', 'signals', body.signals)),
        ...(await unknownIn(deps, workspace, 'event_stream', 'event_streams', body.event_streams)),
      ];
      if (faults.length > 0) throw notValid(faults);
      const wanted = {
        ...{ signals: body.signals, eventStreams: body.event_streams },
        ...{ alpha: body.alpha, maxLagS: body.max_lag_s },
      };
      const context = contextOf(call, deps.clock());
      const begun = await deps.start.search({ workspace, goalId }, 'manual', context, wanted);
      await deps.visible(begun.position);
      return { status: 202, body: queued(goalId, begun.discoveryId) };
    },
  });

function faultsOf(
  { method, max_lag_s: maxLagS }: FromSchema<typeof schemas.startBody>,
  stepS: number,
): Fault[] {
  const faults: Fault[] = [];
  if (method !== undefined && method !== 'default')
    faults.push({
      loc: ['body', 'method'],
      msg: `${method} is not offered: leave it out, or say default`,
      type: 'not_offered',
      input: method,
    });
  if (typeof maxLagS === 'number' && maxLagS < stepS)
    faults.push({
      loc: ['body', 'max_lag_s'],
      msg: `must be at least a step of the goal, ${stepS} s`,
      type: 'too_small',
      input: maxLagS,
    });
  return faults;
}

async function unknownIn(
  { isThere }: DiscoveryDeps,
  workspace: string,
  kind: Source['kind'],
  field: string,
  keys: readonly string[] = [],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [i, sourceKey] of keys.entries())
    if (!(await isThere(workspace, { kind, sourceKey })))
      faults.push({
        loc: ['body', field, i],
        msg: kind === 'signal' ? 'there is no such signal' : 'there is no such stream',
        type: 'unknown_key',
        input: sourceKey,
      });
  return faults;
}
