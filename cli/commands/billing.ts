import { commandsBelow, type NewCommand, type OperationOptions } from '../command.js';
import { credits, nonEmpty, someCredits } from '../options.js';

/** What an operator does with credits and plans. */
export function billingCommands(command: NewCommand): void {
  const below = commandsBelow(command, 'credits', 'grant credits to organizations, and put them right');
  below('grant', 'give an organization credits')
    .argument('<organization-id>')
    .argument('<amount>', 'credits, such as 500 or 12.5', someCredits)
    .option('--note <text>', 'stands in the ledger', nonEmpty)
    .action(async (organization: string, amount: number, { note = null, ...options }) =>
      billing({ what: 'grant', organization, amount, note, ...options }),
    );
  below('adjust', 'add credits to an organization, or take some away')
    .argument('<organization-id>')
    .argument('<amount>', 'credits; below zero they are taken away', credits)
    .option('--note <text>', 'stands in the ledger', nonEmpty)
    .action(async (organization: string, amount: number, { note = null, ...options }) =>
      billing({ what: 'adjust', organization, amount, note, ...options }),
    );
  commandsBelow(
    command,
    'plan',
    'what plan organizations have',
  )('set', 'give an organization a plan: its limits, and what it grants beyond the plan before, at once')
    .argument('<organization-id>')
    .argument('<plan>', 'its id in the table of plans: docs/plans.md')
    .action(async (organization: string, plan: string, options) =>
      billing({ what: 'plan set', organization, plan, ...options }),
    );
}

async function billing({ json = false, ...options }: OperationOptions & object): Promise<void> {
  const { billing: run } = await import('../billing.js');
  await run(options as never, json);
}
