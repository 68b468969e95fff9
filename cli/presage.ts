#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { START } from '../domain/fact.js';
import { parseTime } from '../domain/time.js';
import { codes, codesHelp, failureOf } from './exit.js';

const ROLES = ['api', 'projections', 'workers'] as const;
type Role = (typeof ROLES)[number];

const program = new Command('presage')
  .description('An event-sourced backend for time-series forecasting. Its settings are environment variables.')
  .addHelpText('after', codesHelp)
  .exitOverride().showHelpAfterError('(--help says more)');
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
  .action(async ({ projection = null, verify = false }) => (await import('./replay.js')).replay({ projection, verify }));

command('audit', 'show what has happened, straight from the event store, oldest first')
  .option('--workspace <id>', 'of this workspace only')
  .option('--journal <name>', 'of this journal only')
  .option('--type <types>', 'of these types only, separated by commas', list)
  .option('--from <time>', 'from this time on; ISO 8601 (UTC unless it says otherwise), or epoch seconds or milliseconds', time)
  .option('--to <time>', 'before this time', time)
  .option('--correlation <id>', 'of one chain of cause and effect only')
  .addOption(new Option('--after <position>', 'behind this position').argParser(whole).default(START, 'from the first'))
  .addOption(new Option('--limit <n>', 'at most so many').argParser(whole).default(null, 'all'))
  .option('--follow', 'go on with what is written from now on')
  .option('--ndjson', 'the whole facts, one JSON object each line, for programs')
  .action(async ({ ndjson = false, after, limit, follow = false, type: types, ...filter }) =>
    (await import('./audit.js')).audit({ after, limit, follow, filter: { ...filter, ...(types && { types }) } }, ndjson));

command('doctor', 'look at the configuration, data, stores, models and projections, and say what to mend')
  .action(async () => (await import('./doctor.js')).doctor());

function refuse(why: string): never { throw new InvalidArgumentError(why); }
function nonEmpty(text: string): string { return text.trim() === '' ? refuse('It must not be empty.') : text; }
function email(text: string): string { return /^[^\s@]+@[^\s@]+$/.test(text) ? text : refuse('It is not an e-mail address.'); }
function list(text: string): string[] { return text.split(',').map(item => item.trim()).filter(item => item !== ''); }
function time(text: string): number { return parseTime(text) ?? refuse('It is not a time, such as 2026-01-31T12:00Z.'); }
function whole(text: string): number { return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It is no whole number.'); }

function rolesIn(text: string): Role[] {
  const unknown = list(text).find(name => !ROLES.some(role => role === name));
  if (unknown !== undefined || list(text).length === 0) refuse(`It must be some of ${ROLES.join(', ')}, separated by commas.`);
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
