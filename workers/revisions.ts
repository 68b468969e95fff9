import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { holdRevision, type RunningDeps } from '../commands/revisions/running.js';
import type { RevisionDoc } from '../projections/revisions/documents.js';
import type { RevisionQueries } from '../projections/revisions/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = RunningDeps & {
  readonly queries: Pick<RevisionQueries, 'dueBehind'>;
  /** Those of archived workspaces wait. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 250;
const LOOKED_AT = 50;
const AT_ONCE = 2;
/** One that failed at the stores, or at what does not serve just now, is gone on with after this. */
const REST_MS = 2_000;
/** One whose tables are being built. */
const WAIT_MS = 200;

/**
 * Makes anew what hangs on history that changed, of each workspace one revision after the other. It remembers
 * nothing: one that was cut short is open still and gone on with.
 */
export function revisionWork(deps: Deps): Running {
  const { queries, log } = deps;
  const ending = new AbortController();
  const doing = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  /** The workspace whose turn it was last. */
  let turn = '';
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();

  const begin = (doc: RevisionDoc): void => {
    doing.add(doc.workspace);
    const rest = (ms: number): unknown => resting.set(doc._id, performance.now() + ms);
    const work = hold(deps, doc, ending.signal)
      .then(waits => waits && rest(WAIT_MS))
      .catch((err: unknown) => {
        rest(REST_MS);
        if (ending.signal.aborted) return;
        log.error({ err, revision: doc.revision_id }, 'a revision could not be made; gone on with');
      })
      .finally(() => {
        doing.delete(doc.workspace);
        underWay.delete(work);
      });
    underWay.add(work);
  };

  const looking = rounds(EVERY_MS, log, 'revisions could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    for (let isRound = false; goesOn() && doing.size < AT_ONCE; ) {
      const due = await queries.dueBehind(turn, deps.clock(), LOOKED_AT);
      if (due.length === 0 && isRound) return;
      isRound ||= due.length === 0;
      turn = due[0]?.workspace ?? '';
      const next = due.find(({ _id }) => !resting.has(_id));
      if (next && !doing.has(turn) && !(await deps.isArchived(turn))) begin(next);
    }
  });
  return {
    async stop() {
      await looking.stop();
      ending.abort();
      await Promise.all(underWay);
    },
  };
}

/** Whether it is to be gone on with. */
async function hold(deps: Deps, doc: RevisionDoc, signal: AbortSignal): Promise<boolean> {
  const { workspace, revision_id: revisionId } = doc;
  const context: Context = {
    ...{ workspace, actor: 'scheduler:revisions', request: null, causation: null },
    correlation: deps.newId(),
    at: deps.clock(),
  };
  const { position, waits } = await holdRevision(deps, { workspace, revisionId }, context, signal);
  await deps.visible(position);
  return waits;
}
