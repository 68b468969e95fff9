import { runDiscovery, type RunningDeps } from '../commands/discovery/running.js';
import type { Context } from '../commands/engine/handle.js';
import type { DiscoveryDoc } from '../projections/discovery/documents.js';
import type { DiscoveryQueries } from '../projections/discovery/queries.js';
import type { Stored } from '../projections/engine/read-models.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = RunningDeps & {
  readonly queries: Pick<DiscoveryQueries, 'openBehind' | 'discovery'>;
  /** Whether read models hold what was recorded until a position; it waits a bounded time. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
};
type Doing = { readonly doc: DiscoveryDoc; readonly ending: AbortController };

const EVERY_MS = 250;
const LOOKED_AT = 100;
const AT_ONCE = 2;
/** One that failed at the stores, or at what is full just now, is gone on with after this. */
const REST_MS = 2_000;

/** Runs discoveries that are not over, workspaces in turn, of a goal one at a time. */
export function discoveryWork(deps: Deps): Running {
  const { queries, log } = deps;
  const doing = new Map<string, Doing>();
  const underWay = new Set<Promise<unknown>>();
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';

  const run = async (doc: Stored<DiscoveryDoc>, signal: AbortSignal): Promise<number | null> => {
    if (!(await deps.caughtUp(doc._at))) throw new Error(`read models do not stand at ${doc._at} yet`);
    const of = { workspace: doc.workspace, discoveryId: doc.discovery_id };
    return runDiscovery(deps, of, contextOf(deps, doc), signal);
  };

  const begin = (doc: Stored<DiscoveryDoc>): void => {
    const ending = new AbortController();
    doing.set(doc.goal, { doc, ending });
    const tracked: Promise<unknown> = run(doc, ending.signal)
      .then(deps.visible)
      .catch((err: unknown) => {
        resting.set(doc.goal, performance.now() + REST_MS);
        log.error({ err, discovery: doc.discovery_id }, 'a discovery could not be run; gone on with');
      })
      .finally(() => {
        doing.delete(doc.goal);
        underWay.delete(tracked);
      });
    underWay.add(tracked);
  };

  const endUnwanted = async (): Promise<void> => {
    for (const { doc, ending } of doing.values()) {
      const now = await queries.discovery(doc.workspace, doc.discovery_id);
      if (!now?.open) ending.abort();
    }
  };

  /** The first of the next workspace whose turn it is; null: there is nothing to begin just now. */
  const next = async (): Promise<Stored<DiscoveryDoc> | null> => {
    const before = turn;
    for (let isRound = false; ; ) {
      const open = await queries.openBehind(turn, LOOKED_AT);
      turn = open[0]?.workspace ?? '';
      const found = open.find(({ goal }) => !doing.has(goal) && !resting.has(goal));
      if (found) return found;
      if (isRound && (turn === '' || turn >= before)) return null;
      isRound ||= turn === '';
    }
  };

  const looking = rounds(EVERY_MS, log, 'discoveries could not be looked for; tried again', async goesOn => {
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

const contextOf = ({ newId, clock }: Deps, { workspace }: DiscoveryDoc): Context => ({
  ...{ workspace, actor: 'scheduler:discoveries', request: null, correlation: newId(), causation: null },
  at: clock(),
});
