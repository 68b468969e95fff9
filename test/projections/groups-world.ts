import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { groupCommands } from '../../commands/groups.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { groups } from '../../domain/groups/decider.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import { users } from '../../domain/users/decider.js';
import { auditProjection } from '../../projections/audit/projection.js';
import { auditQueries } from '../../projections/audit/queries.js';
import { directory } from '../../projections/identity/directory.js';
import { groupQueries } from '../../projections/identity/group-queries.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';

export type GroupWorld = Awaited<ReturnType<typeof groupWorld>>;

/**
 * Commands and read models of identity and audit over memory stores, with a clock that stands until it is
 * moved.
 */
export async function groupWorld() {
  const store = memoryEventStore();
  const models = memoryReadModels();
  const clock = { now: 1_800_000_000_000 };
  let facts = 0;
  const newId = () => `00000000-0000-4000-8000-${String(facts++).padStart(12, '0')}`;
  const handle = handler(store, newId);
  const load = loader(store);
  const projections = [identityProjection, auditProjection];
  for (const p of projections) await models.prepare(collectionsOf(p, 0));
  const read = reader(models, identityProjection, () => 0);
  const who = directory(read, { clock: () => clock.now, ttlMs: 60_000, size: 1_000, letters: 1_000_000 });
  const context = (by: string): Context => ({
    workspace: null,
    actor: `token:${by}`,
    request: null,
    correlation: 'c',
    causation: null,
    at: clock.now,
  });
  return {
    clock,
    context,
    who,
    commands: groupCommands({ handle, load, cell: 'here' }),
    queries: groupQueries(read),
    audit: auditQueries(reader(models, auditProjection, () => 0)),
    register: (uid: string, email: string) =>
      handle(
        users,
        { type: 'RegisterUser', data: { uid, homeCell: 'here', personal: { of: uid, email, name: uid } } },
        context('operator'),
      ),
    /** Gives somebody a second factor, or takes it away. */
    async factor(uid: string, has: boolean) {
      const of = context(uid);
      if (!has) return handle(users, { type: 'DisableTotp', data: { uid } }, of);
      await handle(users, { type: 'EnrolTotp', data: { uid, secret: 'S' } }, of);
      return handle(users, { type: 'ConfirmTotp', data: { uid, step: 1, hashes: [] } }, of);
    },
    /** The group as the facts alone tell it. */
    stateOf: (kind: GroupKind, groupId: string) => load(groups(kind), groupId),
    async project(pageSize = 5) {
      for (const p of projections)
        for (;;) {
          const page = await store.page(await models.checkpoint(checkpointName(p, 0)), pageSize);
          if (page.length === 0) break;
          await applyPage(p, models, 0, page);
          if (p === identityProjection) who.forget(page);
        }
    },
  };
}
