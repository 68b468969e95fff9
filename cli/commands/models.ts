import { commandsBelow, type NewCommand, type OperationOptions } from '../command.js';
import { modelRef } from '../options.js';

/** What an operator does with foundation models. */
export function modelCommands(command: NewCommand): void {
  const below = commandsBelow(command, 'model', 'bring foundation models of other makers, and retire models');
  below('import', 'run an ONNX file on series made for it and, if it does well, offer it to all workspaces')
    .argument('<file>', 'the ONNX file')
    .requiredOption('--manifest <file>', 'what it is, as JSON: docs/models.md')
    .action(async (file: string, options) => model({ what: 'import', file, ...options }));
  below('list', 'show the foundation models, the deprecated ones too').action(async options =>
    model({ what: 'list', ...options }),
  );
  below('deprecate', 'take no new deployments of a model; what is deployed goes on')
    .argument('<family/slug>', 'the model', modelRef)
    .option('--replacement <family/slug>', 'what to take instead', modelRef)
    .action(async (ref, { replacement = null, ...options }) =>
      model({ what: 'deprecate', model: ref, replacement, ...options }),
    );
  below('reinstate', 'take new deployments of a deprecated model again')
    .argument('<family/slug>', 'the model', modelRef)
    .action(async (ref, options) => model({ what: 'reinstate', model: ref, ...options }));
}

async function model({ json = false, ...options }: OperationOptions): Promise<void> {
  const { model: run } = await import('../models.js');
  await run(options as never, json);
}
