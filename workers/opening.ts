import type { LedgerCommands } from '../commands/billing.js';
import type { Fact } from '../domain/fact.js';
import type { OrganizationCreated } from '../domain/groups/facts.js';
import type { Reactor } from './engine/reactor.js';

/** Gives each organization its ledger, with the credits of the plan that it begins with. */
export const opening = ({ open }: Pick<LedgerCommands, 'open'>): Reactor => ({
  name: 'opening',
  concurrency: 4,
  on: {
    OrganizationCreated: async ({ data }: Fact<OrganizationCreated>, context) => {
      await open(data.groupId, context);
    },
  },
});
