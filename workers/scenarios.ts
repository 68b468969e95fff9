import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { workOnScenario, type RunningDeps } from '../commands/scenarios/running.js';
import type { ScenarioDoc } from '../projections/scenarios/documents.js';
import type { ScenarioQueries } from '../projections/scenarios/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = RunningDeps & {
  readonly queries: Pick<ScenarioQueries, 'openBehind'>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 250;
const LOOKED_AT = 20;
/** One that failed at the stores, or at what does not serve just now, is gone on with after this. */
const REST_MS = 2_000;

/** Works on scenarios that wait, one after the other, workspaces in turn. */
export function scenarioWork(deps: Deps): Running {
  const { queries, log } = deps;
  const ending = new AbortController();
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';

  const workOn = async (doc: ScenarioDoc): Promise<void> => {
    const of = { workspace: doc.workspace, scenarioId: doc.scenario_id };
    try {
      await deps.visible(await workOnScenario(deps, of, contextOf(deps, doc), ending.signal));
    } catch (err) {
      resting.set(doc._id, performance.now() + REST_MS);
      log.error({ err, scenario: doc.scenario_id }, 'a scenario could not be worked on; tried again');
    }
  };

  const looking = rounds(EVERY_MS, log, 'scenarios could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    do {
      const open = await queries.openBehind(turn, LOOKED_AT);
      turn = open[0]?.workspace ?? '';
      const next = open.find(({ _id }) => !resting.has(_id));
      if (next && goesOn()) await workOn(next);
    } while (turn !== '' && goesOn());
  });
  return {
    async stop() {
      ending.abort();
      await looking.stop();
    },
  };
}

const contextOf = ({ newId, clock }: Deps, { workspace }: ScenarioDoc): Context => ({
  ...{ workspace, actor: 'scheduler:scenarios', request: null, correlation: newId(), causation: null },
  at: clock(),
});
