import type { Reference } from '../../domain/billing/credits.js';
import { scenarioJournalId, scenarios, type ScenarioCommand } from '../../domain/scenarios/decider.js';
import type {
  ScenarioCreated,
  ScenarioFact,
  ScenarioRunCompleted,
  ScenarioRunRequested,
} from '../../domain/scenarios/facts.js';
import { scenarioNotFound } from '../../domain/scenarios/refusals.js';
import { isOpen, isThere, type KnownScenario, type ScenarioState } from '../../domain/scenarios/state.js';
import type { Credits } from '../billing/credits.js';
import type { Context, Handle, Load, Outcome } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

export type OfScenario = { readonly workspace: string; readonly scenarioId: string };
export type Made = Pick<ScenarioRunCompleted['data'], 'result' | 'codeVersion'>;
type OfRun = OfScenario & { readonly run: number };
type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly credits: Pick<Credits, 'charge' | 'release'>;
};
export type ScenarioCommands = ReturnType<typeof scenarioCommands>;

/** How a try at a run is named in ledgers: what is held for one that was cut short is no other's. */
export const newPaidAs = (scenarioId: string): string => newId(`${scenarioId}.`);
export const paidFor = (paidAs: string): Reference => ({ type: 'scenario', id: paidAs });

/** What is written of scenarios; whoever ends a run that waited ends its hold, too. */
export function scenarioCommands({ handle, load, credits }: Deps) {
  type Written = Outcome<ScenarioFact, ScenarioState>;
  const give = (command: ScenarioCommand, context: Context): Promise<Written> =>
    handle(scenarios, command, { ...context, workspace: command.data.workspace });
  const state = ({ workspace, scenarioId }: OfScenario): Promise<ScenarioState> =>
    load(scenarios, scenarioJournalId(workspace, scenarioId));
  const read = async (of: OfScenario): Promise<KnownScenario> => {
    const found = await state(of);
    if (!isThere(found)) throw scenarioNotFound(of.scenarioId);
    return found;
  };
  return {
    state,
    /** @throws Rejected 404 */
    read,
    create: (
      workspace: string,
      scenario: ScenarioCreated['data'],
      requested: ScenarioRunRequested['data'],
      made: Made | null,
      context: Context,
    ) => {
      const { scenarioId } = scenario;
      return give(
        { type: 'CreateScenario', data: { workspace, scenarioId, scenario, requested, made } },
        context,
      );
    },
    /** @throws Rejected 404; 409 while one is under way */
    run: (
      workspace: string,
      requested: ScenarioRunRequested['data'],
      made: Made | null,
      context: Context,
    ) => {
      const { scenarioId } = requested;
      return give({ type: 'RunScenario', data: { workspace, scenarioId, requested, made } }, context);
    },
    start: (data: OfRun, context: Context) => give({ type: 'StartRun', data }, context),
    async complete(of: OfRun, made: Made, context: Context): Promise<Written> {
      const written = await give({ type: 'CompleteRun', data: { ...of, ...made } }, context);
      const { workspace } = of;
      if (written.facts.length > 0 && isThere(written.after))
        credits.charge(workspace, paidFor(written.after.run.paidAs), { ...context, workspace });
      return written;
    },
    async fail(
      of: OfRun,
      { code, message }: { readonly code: string; readonly message: string },
      context: Context,
    ): Promise<Written> {
      const written = await give({ type: 'FailRun', data: { ...of, code, message } }, context);
      const { workspace } = of;
      if (written.facts.length > 0 && isThere(written.after))
        credits.release(workspace, paidFor(written.after.run.paidAs), 'failed', { ...context, workspace });
      return written;
    },
    /** `seen`: the version the caller saw; null: whichever it is. @throws Rejected 404, 409 */
    async remove(of: OfScenario, seen: number | null, context: Context): Promise<Written> {
      const { run, status } = await read(of);
      const written = await give({ type: 'DeleteScenario', data: { ...of, seen } }, context);
      const reference = paidFor(run.paidAs);
      if (isOpen(status))
        credits.release(of.workspace, reference, 'cancelled', { ...context, workspace: of.workspace });
      return written;
    },
  };
}

/** What became of a try that credits are held for: for holds that nobody ended. */
export const becameOf = (load: Load) => async (workspace: string, paidAs: string) => {
  const scenarioId = paidAs.slice(0, paidAs.lastIndexOf('.'));
  const found = await load(scenarios, scenarioJournalId(workspace, scenarioId));
  if (found.status === 'none') return 'unknown';
  if (found.completed.includes(paidAs)) return 'completed';
  if (found.status === 'deleted') return 'cancelled';
  if (found.run.paidAs !== paidAs) return 'unknown';
  return isOpen(found.status) ? 'under way' : 'failed';
};
