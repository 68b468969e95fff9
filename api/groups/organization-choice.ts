import { Rejected } from '../../domain/rejected.js';
import { meets } from '../edge/demands.js';
import { notValid } from '../edge/errors.js';
import type { Caller } from '../edge/row.js';
import type { GroupDeps } from './deps.js';

const FIRST_ORGANIZATIONS = { limit: 100, offset: 0 };

/**
 * The organization that a new workspace belongs to: one that the caller is an admin or owner of; where none
 * is named, the first such. @throws Rejected 403, 422
 */
export async function organizationFor(
  { queries, demands, clock }: GroupDeps,
  caller: Caller,
  named: string | undefined,
): Promise<string> {
  const among = named === undefined ? null : [named];
  const { items } = await queries.groupsOf('organization', caller.uid, FIRST_ORGANIZATIONS, among);
  const found = items.find(({ role, group }) => isAdmin(role) && group.archived_at === null);
  if (found) {
    const { _id } = found.group;
    meets(caller, await demands(_id, caller.uid), clock());
    return _id;
  }
  throw named !== undefined && items.length > 0 ? adminRequired() : noOrganization();
}

const isAdmin = (role: string): boolean => role === 'owner' || role === 'admin';

const adminRequired = (): Rejected =>
  new Rejected('forbidden', 'role_forbidden', 'This takes the role admin in the organization', {
    required: 'admin',
  });

const noOrganization = (): Rejected => {
  const msg = 'is no organization that you may add workspaces to';
  return notValid([{ loc: ['body', 'organization_id'], msg, type: 'not_found' }]);
};
