import type { Endings } from '../adapters/endings.js';
import { inOtherCell } from '../api/edge/other-cells.js';
import type { GroupDeps } from '../api/groups/deps.js';
import { groupRows } from '../api/groups/rows.js';
import { userRows } from '../api/users/rows.js';
import { tokenUses } from '../api/users/token-uses.js';
import { apiTokenCommands } from '../commands/api-tokens.js';
import type { Context } from '../commands/engine/handle.js';
import { finishingErasure, leavingGroups } from '../commands/erasure.js';
import { groupCommands } from '../commands/groups.js';
import { install, type NewInstallation } from '../commands/installation.js';
import { opsCommands } from '../commands/ops.js';
import { StoreUnavailable } from '../commands/ports/event-store.js';
import { accountsByEmail, registering } from '../commands/registration.js';
import { userCommands } from '../commands/users.js';
import { cellsOf, opsAddresses } from '../config.js';
import type { Fact } from '../domain/fact.js';
import { groupKinds } from '../domain/groups/facts.js';
import { memberFrames } from '../domain/groups/frames.js';
import { tokenFrames } from '../domain/tokens/frames.js';
import { auditProjection } from '../projections/audit/projection.js';
import type { Projection } from '../projections/engine/projection.js';
import { directory } from '../projections/identity/directory.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { accountQueries, type AccountQueries } from '../projections/identity/queries.js';
import { erasure } from '../workers/erasure.js';
import { area } from './area.js';
import type { AuditArea } from './audit.js';
import type { Kernel } from './kernel.js';
import { groupNotices } from './notices.js';

/**
 * Alone, this process makes every change itself and forgets at once; what other processes change it learns of
 * within a second.
 */
const DIRECTORY = { size: 100_000, letters: 16 * 1024 * 1024, aloneMs: 60_000, sharedMs: 1_000 };

type On = { readonly audit: AuditArea; readonly plans: GroupDeps['plans'] };

/** Users, their tokens, workspaces and organizations: who there is, and who may do what. */
export const identityArea = (kernel: Kernel, { audit, plans }: On, ends: Endings) => {
  const { config, stores, tryOut, load, clock, read, visibleIn } = kernel;
  const cell = config.CELL;
  const documents = read(identityProjection);
  const accounts = accountQueries(documents);
  const ttlMs = stores.shared ? DIRECTORY.sharedMs : DIRECTORY.aloneMs;
  const who = directory(documents, { clock, ttlMs, size: DIRECTORY.size, letters: DIRECTORY.letters });
  const { users, groups, tokens, ops, register, lastUses, erasing } = accountCommands(kernel, accounts);
  ends.keep({ close: lastUses.stop });
  const elsewhere = inOtherCell(cellsOf(config));
  return area({
    name: 'identity',
    ...{ directory: who, users, groups, tokens, lastUses, register },
    /** The first organization, workspace, user and token. */
    install: (wanted: NewInstallation, context: Context) =>
      install({ handle: kernel.handle, register }, wanted, context),
    accounts,
    /** Whether somebody is in a workspace, and it is not archived. */
    isIn: async (workspace: string, uid: string) => (await who.member(workspace, uid))?.archivedAt === null,
    /** Who has registered with an address; null: nobody who is there. */
    accountOf: accountsByEmail({ load: kernel.load, vault: stores.vault }),
    namesOf: accounts.names,
    tokenOwners: accounts.tokenOwners,
    tokenNames: accounts.tokenNames,
    rows: [
      ...userRows({
        ...{ users, tokens, ops, lastUses, clock },
        tried: apiTokenCommands({ handle: tryOut, load, cell, daysFor: accounts.tokenDays }),
        queries: accounts,
        visible: visibleIn(identityProjection),
        inOtherCell: elsewhere,
      }),
      ...groupKinds.flatMap(kind =>
        groupRows(kind, {
          commands: groups,
          tried: groupCommands({ handle: tryOut, load, cell }),
          queries: groupQueries(documents),
          audit: audit.queries,
          plans,
          demands: who.demands,
          inOtherCell: elsewhere,
          lastUses,
          clock,
          organizationsPerUser: config.ORGANIZATIONS_PER_USER,
          visible: visibleIn(identityProjection, auditProjection),
        }),
      ),
    ],
    notices: groupNotices,
    reactors: [erasing],
    frames: {
      of: {
        ...memberFrames,
        ...tokenFrames(async hash => (await who.token(hash))?.uid ?? null),
      },
      shown: visibleIn(identityProjection),
    },
    // What an identity fact changes is forgotten at once by the process that projects it
    projected(p: Projection, page: readonly Fact[]) {
      if (p === identityProjection) who.forget(page);
    },
  });
};
export type IdentityArea = ReturnType<typeof identityArea>;

/** What is written of accounts, and the reactor that finishes what an erasure began. */
function accountCommands(
  { config, stores, clock, log, handle, load, caughtUp }: Kernel,
  accounts: AccountQueries,
) {
  const { vault, events, scrub } = stores;
  const cell = config.CELL;
  const identified = (position: number) => caughtUp(identityProjection, position);
  const lastUses = tokenUses({
    kv: stores.kv,
    clock,
    failed: err => log.warn({ err }, 'last uses of tokens not written'),
  });
  const groups = groupCommands({ handle, load, cell });
  const register = registering({ handle, load, vault, cell });
  const belongings = accounts;
  const leaveGroups = leavingGroups({
    groups,
    belongings,
    async upToDate() {
      if (!(await identified(await events.head())))
        throw new StoreUnavailable(
          'the read models are too far behind to tell what somebody owns; try again',
        );
    },
  });
  const finish = finishingErasure({
    ...{ handle, load, groups, belongings, vault, scrub },
    forgetUses: lastUses.forget,
    caughtUp: identified,
  });
  const finishErasure = async (uid: string, position: number, context: Context) =>
    (await identified(position)) && (await finish(uid, context));
  return {
    ...{ groups, register, lastUses },
    users: userCommands({ handle, load, register, leaveGroups, finishErasure }),
    tokens: apiTokenCommands({ handle, load, cell, daysFor: accounts.tokenDays }),
    ops: opsCommands(handle, opsAddresses(config)),
    erasing: erasure({ finishErasure: finish, groups, retire: vault.retire, caughtUp: identified }),
  };
}
