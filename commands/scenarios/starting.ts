import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { forecastNotFound } from '../../domain/forecasts/decider.js';
import type { GoalModel, LocalMethod, SingleModel } from '../../domain/goals/model.js';
import { goalNotFound, invalidState as goalState } from '../../domain/goals/refusals.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { Rejected } from '../../domain/rejected.js';
import { isOfSignal, type Assumption } from '../../domain/scenarios/assumptions.js';
import type { ScenarioCreated, ScenarioRunRequested } from '../../domain/scenarios/facts.js';
import { invalidState } from '../../domain/scenarios/refusals.js';
import { isOpen } from '../../domain/scenarios/state.js';
import type { Credits } from '../billing/credits.js';
import { mindMaxCredits } from '../billing/max-credits.js';
import type { Context } from '../engine/handle.js';
import { CODE_VERSION, imagine, type ImaginingDeps } from './imagining.js';
import type { Based } from './knowing.js';
import { paidFor, type Made, type OfScenario, type ScenarioCommands } from './records.js';

type Issued = GoalForecastIssued['data'];
export type BasingDeps = {
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  /** A forecast of the workspace; null: there is none with this id. */
  readonly forecast: (workspace: string, forecastId: string) => Promise<Issued | null>;
  /** The newest of a goal; null: it has none. */
  readonly latest: (workspace: string, goalId: string) => Promise<Issued | null>;
};
export type StartingDeps = ImaginingDeps &
  BasingDeps & {
    readonly commands: Pick<ScenarioCommands, 'create' | 'run' | 'read'>;
    readonly credits: Pick<Credits, 'priceOf' | 'hold' | 'paid'>;
  };
/** `isQueued`: it is worked on later, whatever its size. */
export type Asked = { readonly isQueued: boolean; readonly maxCredits: number | undefined };
export type Started = { readonly position: number | null; readonly isQueued: boolean };

/** So many assumptions are worked on at once. */
const AT_ONCE = 10;
/** Methods whose fit may take seconds. */
const SLOW: ReadonlySet<LocalMethod> = new Set(['ets', 'arima', 'mstl_ets']);

/** @throws Rejected 404 where the goal or the base is not there; 409 where it is archived; 422 */
async function basedOn(
  deps: BasingDeps,
  workspace: string,
  { goalId, base, horizon }: Pick<ScenarioCreated['data'], 'goalId' | 'base' | 'horizon'>,
): Promise<Based> {
  const goal: GoalState = await deps.goal({ workspace, goalId });
  if (goal.status === 'none') throw goalNotFound();
  if (goal.status === 'archived') throw goalState(goal.status, 'have scenarios');
  const issued =
    base === 'latest'
      ? await deps.latest(workspace, goalId)
      : await deps.forecast(workspace, base.forecastId);
  if (!issued && base === 'latest')
    throw new Rejected('missing', 'not_found', 'base: the goal has no forecast yet', { goal_id: goalId });
  if (issued?.goalId !== goalId) throw forecastNotFound((base as { forecastId: string }).forecastId);
  return basedAt(workspace, goal, issued, horizon);
}

function basedAt(workspace: string, goal: LiveGoal, issued: Issued, horizon: number | null): Based {
  const { timezone } = goal.settings;
  if (horizon !== null && horizon > issued.horizon) {
    const msg = `must be at most ${issued.horizon}: so far the base goes`;
    const detail = [{ loc: ['body', 'horizon'], msg, type: 'range', input: horizon }];
    throw new Rejected('unprocessable', 'validation_error', `horizon: ${msg}`, { detail });
  }
  return { workspace, issued, horizon: horizon ?? issued.horizon, timezone };
}

const singles = (model: GoalModel): readonly SingleModel[] =>
  model.kind === 'ensemble' ? model.members.map(member => member.model) : [model];

/** Whether it takes so little that the caller may wait for it. */
function isSmall({ issued }: Based, assumptions: readonly Assumption[]): boolean {
  const asksModel = assumptions.some(one => isOfSignal(one) && one.key === issued.read.key);
  const isSlow = singles(issued.model).some(one => one.kind === 'local' && SLOW.has(one.method));
  return assumptions.length <= AT_ONCE && !(asksModel && isSlow);
}

/** Makes a scenario, and runs it: at once where it is small. */
export async function createScenario(
  deps: StartingDeps,
  workspace: string,
  scenario: ScenarioCreated['data'],
  asked: Asked,
  context: Context,
  signal: AbortSignal,
): Promise<Started> {
  const based = await basedOn(deps, workspace, scenario);
  return ran(deps, based, scenario, 1, asked, context, signal, (requested, made) =>
    deps.commands.create(workspace, scenario, requested, made, context),
  );
}

/** Runs a scenario once more; of one that is based on the newest forecast, on that of now. */
export async function runScenario(
  deps: StartingDeps,
  of: OfScenario,
  asked: Asked,
  context: Context,
  signal: AbortSignal,
): Promise<Started> {
  const { created, run, status } = await deps.commands.read(of);
  if (isOpen(status)) throw invalidState(status, 'be run again');
  const based = await basedOn(deps, of.workspace, created);
  return ran(deps, based, created, run.run + 1, asked, context, signal, (requested, made) =>
    deps.commands.run(of.workspace, requested, made, context),
  );
}

type Keep = (
  requested: ScenarioRunRequested['data'],
  made: Made | null,
) => Promise<{ readonly position: number | null }>;

async function ran(
  deps: StartingDeps,
  based: Based,
  { scenarioId, goalId, assumptions }: ScenarioCreated['data'],
  run: number,
  { isQueued, maxCredits }: Asked,
  context: Context,
  signal: AbortSignal,
  keep: Keep,
): Promise<Started> {
  const { credits } = deps;
  const { workspace, issued, horizon } = based;
  const price = credits.priceOf('inference.series_step', horizon);
  mindMaxCredits(price, maxCredits);
  const atOnce = !isQueued && isSmall(based, assumptions);
  const requested = {
    ...{ scenarioId, goalId, run, baseForecastId: issued.forecastId, asOf: issued.asOf },
    ...{ horizon, price, atOnce },
  };
  const work = { price, reference: paidFor(scenarioId, run), pipelineId: null, goalId };
  if (!atOnce) {
    await credits.hold(workspace, work, { ...context, workspace });
    return { position: (await keep(requested, null)).position, isQueued: true };
  }
  const { position } = await credits.paid(
    workspace,
    { ...work, context },
    () => imagine(deps, based, assumptions, signal),
    result => keep(requested, { result, codeVersion: CODE_VERSION }),
  );
  return { position, isQueued: false };
}

/** The base of a run that was asked for; null: its goal has gone. @throws Rejected where the base has */
export async function basedFor(
  deps: BasingDeps,
  workspace: string,
  { goalId, baseForecastId, horizon }: ScenarioRunRequested['data'],
): Promise<Based | null> {
  const goal = await deps.goal({ workspace, goalId });
  if (goal.status === 'none') return null;
  const issued = await deps.forecast(workspace, baseForecastId);
  if (!issued) throw forecastNotFound(baseForecastId);
  return basedAt(workspace, goal, issued, horizon);
}
