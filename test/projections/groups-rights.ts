import * as assert from 'uvu/assert';
import { doorkeeper } from '../../api/edge/auth.js';
import type { Rejected } from '../../domain/rejected.js';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import { tokenValue } from '../../domain/tokens/value.js';
import { leastRole } from '../api/expected-access.js';
import type { GroupWorld } from './groups-world.js';
import { ladder, type NaiveGroup } from './naive-group.js';

import { people } from './groups-operations.js';

const DAY = 86_400_000;
const START = 1_800_000_000_000;
// Two of them have the same address, written in two ways
/** One group, as it is and as it should be. `joined`: everybody who ever had a right to be in it. */
export type Place = {
  readonly kind: 'workspace' | 'organization';
  readonly id: string;
  readonly naive: NaiveGroup;
  readonly tokens: Map<string, string[]>;
  readonly joined: Set<string>;
};
/** Whom the door lets in with which scope, as `uid place scope`: the role, or why not. */
async function rights({ who, clock }: GroupWorld, all: readonly Place[]): Promise<Map<string, string>> {
  const value = tokenValue('here', new Uint8Array(32));
  const found = new Map<string, string>();
  for (const { uid } of people) {
    const token = {
      tokenId: 't',
      name: 't',
      uid,
      scopes,
      workspaceIds: null,
      issuedAt: START,
      expiresAt: null,
      revokedAt: null,
      homeCell: 'here',
      internal: false,
    };
    const admit = doorkeeper({
      identity: { token: () => token, member: who.member },
      clock: () => clock.now,
      cell: 'here',
      cells: [],
    });
    for (const { id } of all)
      for (const scope of scopes) {
        const entered = await Promise.resolve()
          .then(() =>
            admit({ kind: 'workspace', scope }, { authorization: `Bearer ${value}`, 'x-workspace-id': id }),
          )
          .then(
            caller => String(caller.role),
            (error: Rejected) => error.code,
          );
        found.set(`${uid} ${id} ${scope}`, entered);
      }
  }
  return found;
}

/** What the door says; and what each sees in the list of their own. */
export async function rightsAgree(
  world: GroupWorld,
  all: readonly Place[],
  factors: ReadonlySet<string>,
): Promise<void> {
  const { queries, clock } = world;
  const real = await rights(world, all);
  for (const { uid } of people) {
    for (const { kind, id, naive } of all)
      for (const scope of scopes)
        assert.is(
          real.get(`${uid} ${id} ${scope}`),
          kind === 'workspace'
            ? expectedAt(naive, uid, scope, factors.has(uid), clock.now)
            : 'workspace_forbidden',
          `${uid} in ${id} with ${scope}`,
        );
    for (const kind of ['workspace', 'organization'] as const) {
      const { items, total } = await queries.groupsOf(kind, uid, { limit: 100, offset: 0 });
      const mine = all.filter(place => place.kind === kind && place.naive.roles.has(uid));
      assert.equal(
        items.map(({ group, role }) => [group._id, role]).sort(),
        mine.map(({ id, naive }) => [id, naive.roles.get(uid)!]).sort(),
      );
      assert.is(total, mine.length);
    }
  }
}

function expectedAt(naive: NaiveGroup, uid: string, scope: Scope, hasFactor: boolean, now: number): string {
  const is = naive.roles.get(uid);
  if (is === undefined) return 'workspace_forbidden';
  if (naive.archivedAt !== null) return 'workspace_archived';
  const { factor, days } = naive.rules;
  if (factor && !hasFactor) return 'second_factor_required';
  if (days !== null && START + days * DAY <= now) return 'token_too_old';
  return ladder.indexOf(is) >= ladder.indexOf(leastRole(scope)) ? is : 'role_forbidden';
}
