import type { Decider } from './decider.js';
import type { Message } from './fact.js';

export type CreateOrganization = Message<'CreateOrganization', OrganizationCreated['data']>;
export type OrganizationCreated = Message<'OrganizationCreated', {
  readonly organizationId: string; readonly name: string; readonly ownerUid: string; readonly homeCell: string;
}>;

export const organizations: Decider<CreateOrganization, OrganizationCreated, { readonly created: boolean }> = {
  category: 'organization', idOf: ({ data }) => data.organizationId, initialState: { created: false },
  decide: ({ data }, { created }) => created ? [] : [{ type: 'OrganizationCreated', data }],
  evolve: () => ({ created: true }),
};
