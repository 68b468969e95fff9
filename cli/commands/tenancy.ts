import { commandsBelow, type NewCommand, type OperationOptions } from '../command.js';
import { email, list, nonEmpty, roleOption, wholeOption } from '../options.js';

/** What an operator does to accounts and tenancy. */
export function tenancyCommands(command: NewCommand): void {
  userCommands(commandsBelow(command, 'user', 'make and erase users, take away a lost second factor'));
  const organization = commandsBelow(command, 'organization', 'make and archive organizations, add members');
  organizationCommands(organization);
  groupCommands(organization, 'organization');
  const workspace = commandsBelow(command, 'workspace', 'make and archive workspaces, add members');
  workspaceCommands(workspace);
  groupCommands(workspace, 'workspace');
  tokenCommands(commandsBelow(command, 'token', 'make, replace and revoke tokens'));
}

async function operate({ json = false, ...options }: OperationOptions): Promise<void> {
  const { operate: run } = await import('../operate.js');
  await run(options as never, json);
}

function userCommands(command: NewCommand): void {
  command('create', 'make a user and a token with all scopes, shown once')
    .requiredOption('--email <address>', 'their address', email)
    .requiredOption('--name <name>', 'their name', nonEmpty)
    .option('--workspace <id>', 'make them a member of it')
    .addOption(roleOption('their role there'))
    .action(async ({ workspace = null, ...options }) =>
      operate({ what: 'user create', workspace, ...options }),
    );
  command('erase', 'end a user for good: tokens and memberships end, personal data in facts becomes noise')
    .argument('<uid>')
    .action(async (uid: string, options) => operate({ what: 'user erase', uid, ...options }));
  command('disable-totp', 'take away the second factor of somebody who has lost it, and its recovery codes')
    .argument('<uid>')
    .action(async (uid: string, options) => operate({ what: 'user disable-totp', uid, ...options }));
}

const organizationCommands = (command: NewCommand) =>
  command('create', 'make an organization')
    .requiredOption('--name <name>', 'its name', nonEmpty)
    .requiredOption('--owner <uid>', 'its owner')
    .action(async options => operate({ what: 'organization create', ...options }));

const workspaceCommands = (command: NewCommand) =>
  command('create', 'make a workspace')
    .requiredOption('--name <name>', 'its name', nonEmpty)
    .requiredOption('--organization <id>', 'where it belongs')
    .requiredOption('--owner <uid>', 'its owner')
    .option('--terms <a,b>', 'what it is about; weighs in the relevance of its events', list, [])
    .action(async options => operate({ what: 'workspace create', ...options }));

/** Of organizations and workspaces alike. */
function groupCommands(command: NewCommand, kind: 'organization' | 'workspace'): void {
  command('archive', 'close it; 30 days to undo')
    .argument('<id>')
    .requiredOption('--confirm <name>', 'its name, exactly')
    .action(async (id: string, options) => operate({ what: 'group archive', kind, id, ...options }));
  command('add-member', 'make a user a member')
    .argument('<id>')
    .requiredOption('--uid <uid>', 'who')
    .addOption(roleOption('their role'))
    .action(async (id: string, options) => operate({ what: 'member add', kind, id, ...options }));
}

function tokenCommands(command: NewCommand): void {
  command('create', 'make a token, shown once')
    .requiredOption('--uid <uid>', 'whose')
    .option('--name <name>', 'its name', nonEmpty, 'operator token')
    .option('--scopes <a,b>', 'what it may', list, [])
    .option('--internal', 'for services of this platform', false)
    .addOption(wholeOption('--days <n>', 'until it expires', null, 'never'))
    .action(async options => operate({ what: 'token create', ...options }));
  command('regenerate', 'give it another value, shown once')
    .argument('<token-id>')
    .addOption(wholeOption('--grace-seconds <n>', 'how long the old value works yet', 0))
    .action(async (token: string, options) => operate({ what: 'token regenerate', token, ...options }));
  command('revoke', 'end it')
    .argument('<token-id>')
    .action(async (token: string, options) => operate({ what: 'token revoke', token, ...options }));
}
