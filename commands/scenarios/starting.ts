import type { GoalModel, LocalMethod, SingleModel } from '../../domain/goals/model.js';
import { isOfSignal, type Assumption } from '../../domain/scenarios/assumptions.js';
import type { ScenarioCreated, ScenarioRunRequested } from '../../domain/scenarios/facts.js';
import { invalidState } from '../../domain/scenarios/refusals.js';
import { isOpen } from '../../domain/scenarios/state.js';
import type { Credits } from '../billing/credits.js';
import { mindMaxCredits } from '../billing/max-credits.js';
import type { Context } from '../engine/handle.js';
import { basedOn, type BasingDeps } from './basing.js';
import { CODE_VERSION, imagine, type ImaginingDeps } from './imagining.js';
import type { Based } from './knowing.js';
import { newPaidAs, paidFor, type Made, type OfScenario, type ScenarioCommands } from './records.js';

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
  const paidAs = newPaidAs(scenarioId);
  const requested = {
    ...{ scenarioId, goalId, run, baseForecastId: issued.forecastId, asOf: issued.asOf },
    ...{ horizon, price, paidAs, atOnce },
  };
  const work = { price, reference: paidFor(paidAs), pipelineId: null, goalId };
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
