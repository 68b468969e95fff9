#!/usr/bin/env node
import { CommanderError } from 'commander';
import { presageProgram } from './command.js';
import { billingCommands } from './commands/billing.js';
import { forecastCommands } from './commands/forecast.js';
import { marketplaceCommands } from './commands/marketplace.js';
import { modelCommands } from './commands/models.js';
import { platformCommands } from './commands/platform.js';
import { tenancyCommands } from './commands/tenancy.js';
import { codes, failureOf } from './exit.js';
import { outputLost } from './output.js';

async function main(): Promise<number> {
  const { program, command } = presageProgram();
  platformCommands(command);
  tenancyCommands(command);
  marketplaceCommands(command);
  modelCommands(command);
  billingCommands(command);
  forecastCommands(command);
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
// All is let go of by now; a connection that lingers must not keep the process. That stdout could not be
// written is told a turn later than the write
process.stdout.write('', () =>
  setImmediate(() => process.exit(code === codes.done && outputLost() ? codes.fault : code)),
);
