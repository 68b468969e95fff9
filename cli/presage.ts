#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { START } from '../domain/fact.js';
import { roles } from '../domain/groups/roles.js';
import { parseTime } from '../domain/time.js';
import { codes, codesHelp, failureOf } from './exit.js';

const ROLES = ['api', 'projections', 'workers'] as const;
type Role = (typeof ROLES)[number];

const program = new Command('presage')
  .description(
    'An event-sourced backend for time-series forecasting. Its settings are environment variables.',
  )
  .addHelpText('after', codesHelp)
  .exitOverride()
  .showHelpAfterError('(--help says more)');
const command = (name: string, description: string): Command =>
  program.command(name).description(description).allowExcessArguments(false).addHelpText('after', codesHelp);

// Each command is loaded only when it is asked for, so that --help is there at once

command('serve', 'run the platform until SIGINT or SIGTERM')
  .option('--role <roles>', `what this process does: ${ROLES.join(', ')}`, rolesIn, [...ROLES])
  .action(async ({ role }: { role: Role[] }) => (await import('./serve.js')).serve(role));

command('bootstrap', 'make an organization, a workspace, a user and a token, and show them')
  .option('--organization <name>', 'its name', nonEmpty, 'First organization')
  .option('--workspace <name>', 'its name', nonEmpty, 'First workspace')
  .option('--email <address>', 'of the user', email, 'operator@example.org')
  .option('--name <name>', 'of the user', nonEmpty, 'Operator')
  .option('--terms <a,b>', 'what the workspace is about; weighs in the relevance of its events', list, [])
  .option('--json', 'for programs')
  .action(async ({ json = false, ...options }) => (await import('./bootstrap.js')).bootstrap(options, json));

command('replay', 'build the read models anew from the facts, beside those that serve')
  .option('--projection <name>', 'only this one')
  .option('--verify', 'only compare, document by document; a difference ends it with exit code 1')
  .action(async ({ projection = null, verify = false }) =>
    (await import('./replay.js')).replay({ projection, verify }),
  );

command(
  'rescore',
  'score the events again whose scores another version of the scorer made; the old scores stay in the log',
).action(async () => (await import('./rescore.js')).rescore());

command('audit', 'show what has happened, straight from the event store, oldest first')
  .option('--workspace <id>', 'of this workspace only')
  .option('--journal <name>', 'of this journal only')
  .option('--type <types>', 'of these types only, separated by commas', list)
  .option(
    '--from <time>',
    'from this time on; ISO 8601 (UTC unless it says otherwise), or epoch seconds or milliseconds',
    time,
  )
  .option('--to <time>', 'before this time', time)
  .option('--correlation <id>', 'of one chain of cause and effect only')
  .addOption(
    new Option('--after <position>', 'behind this position')
      .argParser(whole)
      .default(START, 'from the first'),
  )
  .addOption(new Option('--limit <n>', 'at most so many').argParser(whole).default(null, 'all'))
  .option('--follow', 'go on with what is written from now on')
  .option('--ndjson', 'the whole facts, one JSON object each line, for programs')
  .action(async ({ ndjson = false, after, limit, follow = false, type: types, ...filter }) =>
    (await import('./audit.js')).audit(
      { after, limit, follow, filter: { ...filter, ...(types && { types }) } },
      ndjson,
    ),
  );

command(
  'doctor',
  'look at the configuration, data, stores, models and projections, and say what to mend',
).action(async () => (await import('./doctor.js')).doctor());

const reactorsCommand = command('reactors', 'show the facts that reactors failed at again and again')
  .option('--json', 'for programs')
  .action(async ({ json = false }) =>
    (await import('./reactors.js')).reactors({ what: 'list', reactor: null, fact: null }, json),
  );
reactorsCommand
  .command('retry')
  .description('let reactors try such facts again: all of them, unless some are named')
  .allowExcessArguments(false)
  .option('--reactor <name>', 'of this reactor only', nonEmpty)
  .option('--fact <id>', 'this one only', nonEmpty)
  .option('--json', 'for programs')
  .action(async ({ reactor = null, fact = null }, self: Command) =>
    (await import('./reactors.js')).reactors(
      { what: 'retry', reactor, fact },
      self.optsWithGlobals()['json'] === true,
    ),
  );

// What an operator does to accounts: one command for each thing, one below it for each deed

const group = (name: string, description: string) => {
  const parent = command(name, description);
  return (deed: string, what: string) =>
    parent.command(deed).description(what).allowExcessArguments(false).option('--json', 'for programs');
};
const operate = async ({ json = false, ...deed }: { readonly json?: boolean; readonly what: string }) =>
  (await import('./operate.js')).operate(deed as never, json);

const userCommand = group('user', 'make and erase users, take away a lost second factor');
userCommand('create', 'make a user and a token with all scopes, shown once')
  .requiredOption('--email <address>', 'their address', email)
  .requiredOption('--name <name>', 'their name', nonEmpty)
  .option('--workspace <id>', 'make them a member of it')
  .addOption(new Option('--role <role>', 'their role there').choices(roles).default('viewer'))
  .action(async ({ workspace = null, ...options }) =>
    operate({ what: 'user create', workspace, ...options }),
  );
userCommand('erase', 'end a user for good: tokens and memberships end, personal data in facts becomes noise')
  .argument('<uid>')
  .action(async (uid: string, options) => operate({ what: 'user erase', uid, ...options }));
userCommand('disable-totp', 'take away the second factor of somebody who has lost it, and its recovery codes')
  .argument('<uid>')
  .action(async (uid: string, options) => operate({ what: 'user disable-totp', uid, ...options }));

const organizationCommand = group('organization', 'make and archive organizations, add members');
organizationCommand('create', 'make an organization')
  .requiredOption('--name <name>', 'its name', nonEmpty)
  .requiredOption('--owner <uid>', 'its owner')
  .action(async options => operate({ what: 'organization create', ...options }));

const workspaceCommand = group('workspace', 'make and archive workspaces, add members');
workspaceCommand('create', 'make a workspace')
  .requiredOption('--name <name>', 'its name', nonEmpty)
  .requiredOption('--organization <id>', 'where it belongs')
  .requiredOption('--owner <uid>', 'its owner')
  .option('--terms <a,b>', 'what it is about; weighs in the relevance of its events', list, [])
  .action(async options => operate({ what: 'workspace create', ...options }));

for (const [kind, its] of [
  ['organization', organizationCommand],
  ['workspace', workspaceCommand],
] as const) {
  its('archive', 'close it; 30 days to undo')
    .argument('<id>')
    .requiredOption('--confirm <name>', 'its name, exactly')
    .action(async (id: string, options) => operate({ what: 'group archive', kind, id, ...options }));
  its('add-member', 'make a user a member')
    .argument('<id>')
    .requiredOption('--uid <uid>', 'who')
    .addOption(new Option('--role <role>', 'their role').choices(roles).default('viewer'))
    .action(async (id: string, options) => operate({ what: 'member add', kind, id, ...options }));
}

const tokenCommand = group('token', 'make, replace and revoke tokens');
tokenCommand('create', 'make a token, shown once')
  .requiredOption('--uid <uid>', 'whose')
  .option('--name <name>', 'its name', nonEmpty, 'operator token')
  .option('--scopes <a,b>', 'what it may', list, [])
  .option('--internal', 'for services of this platform', false)
  .addOption(new Option('--days <n>', 'until it expires').argParser(whole).default(null, 'never'))
  .action(async options => operate({ what: 'token create', ...options }));
tokenCommand('regenerate', 'give it another value, shown once')
  .argument('<token-id>')
  .addOption(
    new Option('--grace-seconds <n>', 'how long the old value works yet').argParser(whole).default(0),
  )
  .action(async (token: string, options) => operate({ what: 'token regenerate', token, ...options }));
tokenCommand('revoke', 'end it')
  .argument('<token-id>')
  .action(async (token: string, options) => operate({ what: 'token revoke', token, ...options }));

const marketCommand = group(
  'marketplace',
  'let workspaces offer signals and event streams to others, and subscribe to them',
);
const market = async ({ json = false, ...deed }: { readonly json?: boolean; readonly what: string }) =>
  (await import('./marketplace.js')).marketplace(deed as never, json);
marketCommand('draft', 'list signals and event streams of a workspace; nobody sees it before it is published')
  .requiredOption('--workspace <id>', 'whose they are')
  .requiredOption('--title <title>', 'what it is', nonEmpty)
  .option('--keys <a,b>', 'signals', list, [])
  .option('--streams <a,b>', 'event streams', list, [])
  .action(async options => market({ what: 'draft', ...options }));
marketCommand('list', 'show what is published, or what one workspace lists and subscribes to')
  .option('--workspace <id>', 'of this workspace')
  .action(async ({ workspace = null, ...options }) => market({ what: 'list', workspace, ...options }));
const listingCommand = (deed: string, what: string) =>
  marketCommand(deed, what)
    .argument('<listing-id>')
    .action(async (listing: string, options) => market({ what: deed, listing, ...options }));
listingCommand('show', 'show a listing');
listingCommand('publish', 'let others subscribe to a drafted listing');
listingCommand('withdraw', 'end a listing and all subscriptions to it, for good');
listingCommand('subscribe', 'let a workspace read what a listing offers').requiredOption(
  '--workspace <id>',
  'who reads',
);
listingCommand('unsubscribe', 'end that').requiredOption('--workspace <id>', 'who read it');

function refuse(why: string): never {
  throw new InvalidArgumentError(why);
}
function nonEmpty(text: string): string {
  return text.trim() === '' ? refuse('It must not be empty.') : text;
}
function email(text: string): string {
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text : refuse('It is not an e-mail address.');
}
function list(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}
function time(text: string): number {
  return parseTime(text) ?? refuse('It is not a time, such as 2026-01-31T12:00Z.');
}
function whole(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It is no whole number.');
}

function rolesIn(text: string): Role[] {
  const unknown = list(text).find(name => !ROLES.some(role => role === name));
  if (unknown !== undefined || list(text).length === 0)
    refuse(`It must be some of ${ROLES.join(', ')}, separated by commas.`);
  return ROLES.filter(role => list(text).includes(role));
}

async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return codes.done;
  } catch (error) {
    // What commander refuses it has explained already
    if (error instanceof CommanderError) return error.exitCode === 0 ? codes.done : codes.usage;
    const { message, code } = failureOf(error);
    process.stderr.write(`presage: ${message}\n`);
    return code;
  }
}

const code = await main();
// All is written and let go of by now; a connection that lingers must not keep the process
process.stdout.write('', () => process.exit(code));
