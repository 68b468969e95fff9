import type { Fact } from '../../domain/fact.js';
import type { CollectionSpec, ReadModels, Stored, Where } from '../../projections/engine/read-models.js';

/**
 * A fact that a reactor failed at. `waiting`: tried again by itself; `parked`: only when somebody asks for
 * it. `attempts`: those that failed for a reason of the fact's own, since it was last asked for. Times are
 * epoch ms.
 */
export type SetAsideFact = {
  readonly _id: string;
  readonly reactor: string;
  readonly state: 'waiting' | 'parked';
  readonly fact_id: string;
  readonly position: number;
  readonly journal: string;
  readonly revision: number;
  readonly type: string;
  readonly workspace: string | null;
  readonly attempts: number;
  readonly first_failed_at: number;
  readonly last_failed_at: number;
  /** The message of the last failure, without secrets. */
  readonly error: string;
};

/**
 * Where facts that were set aside are kept, of all reactors: beside their checkpoints, and written in one
 * commit with them, so that a checkpoint never passes a fact which is neither done nor remembered. Lost
 * together with the checkpoints they are missed by nobody: the reactor then sees every fact again. They
 * belong to no projection, so that a replay leaves them alone. Each reactor writes its own documents only.
 */
export const SET_ASIDE: CollectionSpec = {
  name: 'set_aside_facts',
  indexes: [
    ['state', 'position', '_id'],
    ['reactor', 'state'],
  ],
};

export const setAsideId = (reactor: string, factId: string): string => `${reactor}/${factId}`;

/** A fact as it is remembered when a reactor fails at it for the first time. */
export const newlySetAside = (reactor: string, fact: Fact, now: number): Stored<SetAsideFact> => ({
  _id: setAsideId(reactor, fact.id),
  _at: fact.position,
  reactor,
  state: 'waiting',
  fact_id: fact.id,
  position: fact.position,
  journal: fact.journal,
  revision: fact.revision,
  type: fact.type,
  workspace: fact.meta.workspace,
  attempts: 0,
  first_failed_at: now,
  last_failed_at: now,
  error: '',
});

type Failure = {
  readonly now: number;
  readonly error: string;
  /** Whether it says nothing about the fact: such a failure is no attempt. */
  readonly passing: boolean;
  /** So many attempts are made before the fact is parked. */
  readonly most: number;
};

export function failedAgain(doc: Stored<SetAsideFact>, failure: Failure): Stored<SetAsideFact> {
  const { now, error, passing, most } = failure;
  const attempts = passing ? doc.attempts : doc.attempts + 1;
  return { ...doc, state: attempts < most ? 'waiting' : 'parked', attempts, last_failed_at: now, error };
}

export type Wanted = {
  readonly state?: SetAsideFact['state'];
  readonly reactor?: string;
  readonly fact?: string;
};
const whereOf = ({ state, reactor, fact }: Wanted): Where => ({
  ...(state !== undefined && { state }),
  ...(reactor !== undefined && { reactor }),
  ...(fact !== undefined && { fact_id: fact }),
});
const sort = { by: ['position', '_id'] };

/** What was set aside, for whoever looks at it. The oldest facts come first. */
export const setAsideQueries = (models: ReadModels) => ({
  find: (wanted: Wanted, limit: number) =>
    models.find<SetAsideFact>(SET_ASIDE.name, { where: whereOf(wanted), sort, limit }),
  count: (wanted: Wanted) => models.count(SET_ASIDE.name, whereOf(wanted)),
  /** How many facts each reactor has parked, by its name. */
  async parkedByReactor(): Promise<ReadonlyMap<string, number>> {
    const where = { state: 'parked' };
    const found = await models.find<SetAsideFact>(SET_ASIDE.name, { where, fields: ['reactor'] });
    const counts = new Map<string, number>();
    for (const { reactor } of found) counts.set(reactor, (counts.get(reactor) ?? 0) + 1);
    return counts;
  },
});
