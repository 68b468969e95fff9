import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { holdRevision, type RunningDeps, type Went } from '../commands/revisions/running.js';
import type { RevisionDoc } from '../projections/revisions/documents.js';
import type { RevisionQueries } from '../projections/revisions/queries.js';
import { isPassing } from './engine/failures.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = RunningDeps & {
  readonly queries: Pick<RevisionQueries, 'dueBehind'>;
  /** Those of archived workspaces wait. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  /** The position of the log's last fact, and the one up to which causes are noted. */
  readonly head: () => Promise<number>;
  readonly notedUpTo: () => Promise<number>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  /** How often it looks for revisions. */
  readonly everyMs?: number;
  readonly log: Log;
};

const EVERY_MS = 250;
const LOOKED_AT = 50;
const AT_ONCE = 2;
/** One that failed at the stores, or at what does not serve just now, is gone on with after this. */
const REST_MS = 2_000;
/** One that fails so often at itself is given up. */
const TRIES = 5;
/** One whose tables or edges are being made; twice as long each time that nothing came of it. */
const WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/**
 * Makes anew what hangs on history that changed, of each workspace one revision after the other. It remembers
 * nothing: one that was cut short is open still and gone on with.
 */
export function revisionWork(deps: Deps): Running {
  const { queries, log, everyMs = EVERY_MS } = deps;
  const ending = new AbortController();
  const doing = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  /** How often one failed at itself, and not at a store. */
  const failures = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();
  /** How long those that wait rest next. */
  const waits = new Map<string, number>();

  const forget = ({ _id: id }: RevisionDoc): void => {
    failures.delete(id);
    waits.delete(id);
  };

  const begin = (doc: RevisionDoc): void => {
    doing.add(doc.workspace);
    const rest = (ms: number): unknown => resting.set(doc._id, performance.now() + ms);
    const work = hold(deps, doc, ending.signal)
      .then(went => {
        if (!went.waits) return forget(doc);
        const ms = went.position === null ? (waits.get(doc._id) ?? WAIT_MS) : WAIT_MS;
        waits.set(doc._id, Math.min(2 * ms, LONGEST_WAIT_MS));
        rest(ms);
      })
      .catch(async (err: unknown) => {
        rest(REST_MS);
        if (ending.signal.aborted) return;
        log.error({ err, revision: doc.revision_id }, 'a revision could not be made; gone on with');
        const times = (failures.get(doc._id) ?? 0) + Number(!isPassing(err));
        failures.set(doc._id, times);
        if (times >= TRIES)
          await giveUp(deps, doc).catch((error: unknown) =>
            log.error({ err: error, revision: doc.revision_id }, 'a revision could not be given up'),
          );
      })
      .finally(() => {
        doing.delete(doc.workspace);
        underWay.delete(work);
      });
    underWay.add(work);
  };

  /** Where the log stood when a revision was seen to take no more. */
  const heads = new Map<string, number>();
  /** What was recorded before it closed is noted, and it is nobody else's turn in its workspace. */
  const isReady = async ({ _id: id, workspace, status }: RevisionDoc): Promise<boolean> => {
    if (doing.has(workspace) || (await deps.isArchived(workspace))) return false;
    if (status !== 'queued') return true;
    const head = heads.get(id) ?? (await deps.head());
    const isNoted = (await deps.notedUpTo()) >= head;
    if (isNoted) heads.delete(id);
    else heads.set(id, head);
    return isNoted;
  };

  const looking = rounds(everyMs, log, 'revisions could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    for (let isRound = false; goesOn() && doing.size < AT_ONCE; ) {
      const due = await queries.dueBehind(turn, deps.clock(), LOOKED_AT);
      if (due.length === 0 && isRound) return;
      isRound ||= due.length === 0;
      turn = due[0]?.workspace ?? '';
      const next = due.find(({ _id }) => !resting.has(_id));
      if (next && (await isReady(next))) begin(next);
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

const contextOf = ({ newId, clock }: Deps, { workspace }: RevisionDoc): Context => ({
  ...{ workspace, actor: 'scheduler:revisions', request: null, correlation: newId(), causation: null },
  at: clock(),
});

async function hold(deps: Deps, doc: RevisionDoc, signal: AbortSignal): Promise<Went> {
  const of = { workspace: doc.workspace, revisionId: doc.revision_id };
  const went = await holdRevision(deps, of, contextOf(deps, doc), signal);
  await deps.visible(went.position);
  return went;
}

async function giveUp(deps: Deps, doc: RevisionDoc): Promise<void> {
  const of = { workspace: doc.workspace, revisionId: doc.revision_id };
  const why = { code: 'internal_error', message: 'Internal error' };
  await deps.visible((await deps.commands.fail(of, why, contextOf(deps, doc))).position);
}
