import { Command } from 'commander';
import { codesHelp } from './exit.js';
import { versionOf } from './version.js';

/** Makes a command below `presage`, to be given its options and what it does. */
export type NewCommand = (name: string, description: string) => Command;

export function presageProgram(): { readonly program: Command; readonly command: NewCommand } {
  const program = new Command('presage')
    .description(
      'An event-sourced backend for time-series forecasting. Its settings are environment variables.',
    )
    .version(versionText())
    .addHelpText('after', codesHelp)
    .exitOverride()
    .showHelpAfterError('(--help says more)');
  const command: NewCommand = (name, description) =>
    program
      .command(name)
      .description(description)
      .allowExcessArguments(false)
      .addHelpText('after', codesHelp);
  return { program, command };
}

/** Makes commands below a command: `presage user create`. Each can answer as JSON. */
export function commandsBelow(command: NewCommand, name: string, description: string): NewCommand {
  const parent = command(name, description);
  return (child, what) =>
    parent.command(child).description(what).allowExcessArguments(false).option('--json', 'for programs');
}

/** What commander hands to an action of such a command: its options, and `what` it is for. */
export type OperationOptions = { readonly json?: boolean; readonly what: string };

function versionText(): string {
  const { service, commit } = versionOf();
  return `${service} (commit ${commit})`;
}
