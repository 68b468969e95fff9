import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { holdTournament, type RunningDeps } from '../commands/tournaments/running.js';
import type { TournamentDoc } from '../projections/tournaments/documents.js';
import type { TournamentQueries } from '../projections/tournaments/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = RunningDeps & {
  readonly queries: Pick<TournamentQueries, 'openBehind' | 'tournament'>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};
type Doing = { readonly doc: TournamentDoc; readonly ending: AbortController };

const EVERY_MS = 250;
const LOOKED_AT = 50;
const AT_ONCE = 2;
/** One that failed at the stores, or at what does not serve just now, is gone on with after this. */
const REST_MS = 2_000;

/** Holds tournaments that are not over, workspaces in turn; what is called off ends. */
export function tournamentWork(deps: Deps): Running {
  const { queries, log } = deps;
  const doing = new Map<string, Doing>();
  const underWay = new Set<Promise<unknown>>();
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';

  const begin = (doc: TournamentDoc): void => {
    const ending = new AbortController();
    doing.set(doc._id, { doc, ending });
    const of = { workspace: doc.workspace, tournamentId: doc.tournament_id };
    const tracked: Promise<unknown> = holdTournament(deps, of, contextOf(deps, doc), ending.signal)
      .then(deps.visible)
      .catch((err: unknown) => {
        resting.set(doc._id, performance.now() + REST_MS);
        log.error({ err, tournament: doc.tournament_id }, 'a tournament could not be held; gone on with');
      })
      .finally(() => {
        doing.delete(doc._id);
        underWay.delete(tracked);
      });
    underWay.add(tracked);
  };

  const endUnwanted = async (): Promise<void> => {
    for (const { doc, ending } of doing.values()) {
      const now = await queries.tournament(doc.workspace, doc.tournament_id);
      if (!now?.open) ending.abort();
    }
  };

  /** The first of the next workspace whose turn it is; null: there is nothing to begin just now. */
  const next = async (): Promise<TournamentDoc | null> => {
    const before = turn;
    for (let isRound = false; ; ) {
      const open = await queries.openBehind(turn, LOOKED_AT);
      turn = open[0]?.workspace ?? '';
      const found = open.find(({ _id }) => !doing.has(_id) && !resting.has(_id));
      if (found) return found;
      if (isRound && (turn === '' || turn >= before)) return null;
      isRound ||= turn === '';
    }
  };

  const looking = rounds(EVERY_MS, log, 'tournaments could not be looked for; tried again', async goesOn => {
    await endUnwanted();
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    while (goesOn() && doing.size < AT_ONCE) {
      const doc = await next();
      if (!doc) return;
      begin(doc);
    }
  });
  return {
    async stop() {
      await looking.stop();
      for (const { ending } of doing.values()) ending.abort();
      await Promise.all(underWay);
    },
  };
}

const contextOf = ({ newId, clock }: Deps, { workspace }: TournamentDoc): Context => ({
  ...{ workspace, actor: 'scheduler:tournaments', request: null, correlation: newId(), causation: null },
  at: clock(),
});
