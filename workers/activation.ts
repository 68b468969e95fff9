import type { Context } from '../commands/engine/handle.js';
import type { Starting as Searching } from '../commands/discovery/starting.js';
import type { GoalCommands, OfGoal } from '../commands/goals/records.js';
import type { judgingOf } from '../commands/tournaments/enthroning.js';
import type { Starting } from '../commands/tournaments/starting.js';
import type { DiscoveryCancelled, DiscoveryCompleted, DiscoveryFailed } from '../domain/discovery/facts.js';
import type { Fact } from '../domain/fact.js';
import type { GoalActivated, GoalDiscovered, GoalResumed } from '../domain/goals/facts.js';
import { Rejected } from '../domain/rejected.js';
import type {
  TournamentCancelled,
  TournamentCompleted,
  TournamentFailed,
} from '../domain/tournaments/facts.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly goals: Pick<GoalCommands, 'state' | 'discovered' | 'wentActive'>;
  readonly search: Searching['search'];
  readonly startTournament: (asked: Starting, context: Context) => Promise<unknown>;
  /** Whom a tournament found, with scores in the metric that its goal has by now. */
  readonly judged: ReturnType<typeof judgingOf>;
};

const ofFact = (fact: Fact<GoalActivated | GoalDiscovered | GoalResumed>): OfGoal => ({
  workspace: fact.meta.workspace!,
  goalId: fact.data.goalId,
});

/**
 * A goal that was activated is found its drivers, then a champion, and is active then; one that is resumed
 * without a champion is found one beside serving.
 */
export function activation({ goals, search, startTournament, judged }: Deps): Reactor {
  const compete = async (of: OfGoal, context: Context): Promise<void> => {
    const { status } = await goals.state(of);
    if (status === 'competing') await startTournament({ ...of, trigger: 'activation' }, context);
  };
  /** Where nobody could be judged it is served by falling back. */
  const unjudged = async (fact: Fact<TournamentFailed | TournamentCancelled>, context: Context) => {
    const { goalId, trigger } = fact.data;
    if (trigger !== 'activation') return;
    const of = { workspace: fact.meta.workspace!, goalId };
    await goals.wentActive(of, { champion: null, runnerUp: null }, context);
  };
  /** However it ended, the goal goes on. */
  const discovered = async (
    { type, data, meta }: Fact<DiscoveryCompleted | DiscoveryFailed | DiscoveryCancelled>,
    context: Context,
  ): Promise<void> => {
    const { goalId, trigger, discoveryId } = data;
    if (trigger !== 'activation') return;
    const failed = type === 'DiscoveryFailed';
    await goals.discovered({ workspace: meta.workspace!, goalId }, { discoveryId, failed }, context);
  };
  /** One that lost its champion while it rested, as by another step, is found the next. */
  const resumed = async (fact: Fact<GoalResumed>, context: Context): Promise<void> => {
    const state = await goals.state(ofFact(fact));
    if (state.status !== 'active' || state.champion !== null) return;
    if (state.settings.options.autoTournament === 'off') return;
    await startTournament({ ...ofFact(fact), trigger: 'schedule' }, context).catch((error: unknown) => {
      // One runs already, or it rests again
      if (!(error instanceof Rejected) || error.kind !== 'conflict') throw error;
    });
  };
  return {
    name: 'activation',
    concurrency: 4,
    on: {
      async GoalActivated(fact: Fact<GoalActivated>, context) {
        if (fact.data.skipsDiscovery) await compete(ofFact(fact), context);
        else if ((await goals.state(ofFact(fact))).status === 'discovering')
          await search(ofFact(fact), 'activation', context);
      },
      DiscoveryCompleted: discovered,
      DiscoveryFailed: discovered,
      DiscoveryCancelled: discovered,
      GoalDiscovered: (fact: Fact<GoalDiscovered>, context) => compete(ofFact(fact), context),
      async TournamentCompleted({ data, meta }: Fact<TournamentCompleted>, context) {
        const { tournamentId, goalId, trigger, championAfter: champion, runnerUp } = data;
        if (trigger !== 'activation') return;
        const workspace = meta.workspace!;
        const found = await judged({ workspace, tournamentId }, { champion, runnerUp });
        await goals.wentActive({ workspace, goalId }, found, context);
      },
      GoalResumed: resumed,
      TournamentFailed: unjudged,
      TournamentCancelled: unjudged,
    },
  };
}
