import type { Command } from 'commander';
import { processRoles, type ProcessRole } from '../../areas/process-roles.js';
import { START } from '../../domain/fact.js';
import type { NewCommand } from '../command.js';
import { email, list, nonEmpty, processRolesIn, time, wholeOption } from '../options.js';

// Each command is loaded only when it is asked for, so that --help is there at once

/** Commands that run a platform, or look after one. */
export function platformCommands(command: NewCommand): void {
  serveCommand(command);
  bootstrapCommand(command);
  replayCommand(command);
  rescoreCommand(command);
  auditCommand(command);
  doctorCommand(command);
  reactorsCommand(command);
  vaultCommand(command);
}

const serveCommand = (command: NewCommand) =>
  command('serve', 'run the platform until SIGINT or SIGTERM')
    .option('--role <roles>', `what this process does: ${processRoles.join(', ')}`, processRolesIn, [
      ...processRoles,
    ])
    .action(async ({ role }: { role: ProcessRole[] }) => {
      const { serve } = await import('../serve.js');
      await serve(role);
    });

const bootstrapCommand = (command: NewCommand) =>
  command('bootstrap', 'make an organization, a workspace, a user and a token, and show them')
    .option('--organization <name>', 'its name', nonEmpty, 'First organization')
    .option('--workspace <name>', 'its name', nonEmpty, 'First workspace')
    .option('--email <address>', 'of the user', email, 'operator@example.org')
    .option('--name <name>', 'of the user', nonEmpty, 'Operator')
    .option('--terms <a,b>', 'what the workspace is about; weighs in the relevance of its events', list, [])
    .option('--json', 'for programs')
    .action(async ({ json = false, ...options }) => {
      const { bootstrap } = await import('../bootstrap.js');
      await bootstrap(options, json);
    });

const replayCommand = (command: NewCommand) =>
  command('replay', 'build the read models anew from the facts, beside those that serve')
    .option('--projection <name>', 'only this one')
    .option('--verify', 'only compare, document by document; a difference ends it with exit code 1')
    .action(async ({ projection = null, verify = false }) => {
      const { replay } = await import('../replay.js');
      await replay({ projection, verify });
    });

const rescoreCommand = (command: NewCommand) =>
  command(
    'rescore',
    'score the events again whose scores another version of the scorer made; the old scores stay in the log',
  ).action(async () => {
    const { rescore } = await import('../rescore.js');
    await rescore();
  });

const auditCommand = (command: NewCommand) =>
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
    .addOption(wholeOption('--after <position>', 'behind this position', START, 'from the first'))
    .addOption(wholeOption('--limit <n>', 'at most so many', null, 'all'))
    .option('--follow', 'go on with what is written from now on')
    .option('--ndjson', 'the whole facts, one JSON object each line, for programs')
    .action(async ({ ndjson = false, after, limit, follow = false, type: types, ...filter }) => {
      const { audit } = await import('../audit.js');
      await audit({ after, limit, follow, filter: { ...filter, ...(types && { types }) } }, ndjson);
    });

const doctorCommand = (command: NewCommand) =>
  command('doctor', 'look at the configuration, data, stores, models and projections, and say what to mend')
    .option('--quick', 'read neither whole files nor the whole log, which takes a minute for some gigabytes')
    .action(async ({ quick = false }) => {
      const { doctor } = await import('../doctor.js');
      await doctor(quick);
    });

function reactorsCommand(command: NewCommand): void {
  const shown = command('reactors', 'show the facts that reactors failed at again and again')
    .option('--json', 'for programs')
    .action(async ({ json = false }) => {
      const { reactors } = await import('../reactors.js');
      await reactors({ what: 'list', reactor: null, fact: null }, json);
    });
  shown
    .command('retry')
    .description('let reactors try such facts again: all of them, unless some are named')
    .allowExcessArguments(false)
    .option('--reactor <name>', 'of this reactor only', nonEmpty)
    .option('--fact <id>', 'this one only', nonEmpty)
    .option('--json', 'for programs')
    .action(async ({ reactor = null, fact = null }, self: Command) => {
      const { reactors } = await import('../reactors.js');
      await reactors({ what: 'retry', reactor, fact }, self.optsWithGlobals()['json'] === true);
    });
}

const vaultCommand = (command: NewCommand) =>
  command('vault', 'look after the keys of personal data')
    .command('forget')
    .description('go on without the personal data whose keys the vault has lost; the platform is stopped')
    .allowExcessArguments(false)
    .option('--yes', 'it is for good')
    .action(async ({ yes = false }) => {
      const { forgetVault } = await import('../vault.js');
      await forgetVault(yes);
    });
