import type { Command } from 'commander';
import { commandsBelow, type NewCommand, type OperationOptions } from '../command.js';
import { list, nonEmpty } from '../options.js';

/** What an operator does on the marketplace. */
export function marketplaceCommands(command: NewCommand): void {
  const below = commandsBelow(
    command,
    'marketplace',
    'let workspaces offer signals and event streams to others, and subscribe to them',
  );
  below('draft', 'list signals and event streams of a workspace; nobody sees it before it is published')
    .requiredOption('--workspace <id>', 'whose they are')
    .requiredOption('--title <title>', 'what it is', nonEmpty)
    .option('--keys <a,b>', 'signals', list, [])
    .option('--streams <a,b>', 'event streams', list, [])
    .action(async options => marketplace({ what: 'draft', ...options }));
  below('list', 'show what is published, or what one workspace lists and subscribes to')
    .option('--workspace <id>', 'of this workspace')
    .action(async ({ workspace = null, ...options }) => marketplace({ what: 'list', workspace, ...options }));
  listingCommand(below, 'show', 'show a listing');
  listingCommand(below, 'publish', 'let others subscribe to a drafted listing');
  listingCommand(below, 'withdraw', 'end a listing and all subscriptions to it, for good');
  listingCommand(below, 'subscribe', 'let a workspace read what a listing offers').requiredOption(
    '--workspace <id>',
    'who reads',
  );
  listingCommand(below, 'unsubscribe', 'end that').requiredOption('--workspace <id>', 'who read it');
}

async function marketplace({ json = false, ...options }: OperationOptions): Promise<void> {
  const { marketplace: run } = await import('../marketplace.js');
  await run(options as never, json);
}

const listingCommand = (below: NewCommand, what: string, description: string): Command =>
  below(what, description)
    .argument('<listing-id>')
    .action(async (listing: string, options) => marketplace({ what, listing, ...options }));
