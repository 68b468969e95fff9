import { tableFiles } from '../adapters/tables/table-files.js';
import { importRows } from '../api/ingestion/import-rows.js';
import { importCommands } from '../commands/ingestion/imports.js';
import { takeInOf, type TakeInDeps } from '../commands/ingestion/importing.js';
import type { Intake } from '../commands/ingestion/intake.js';
import { eventsProjection } from '../projections/events/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { importQueries } from '../projections/ingestion/import-queries.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { importing } from '../workers/importing.js';
import type { Kernel } from './kernel.js';

type On = { readonly intake: Intake; readonly allowance: TakeInDeps['allowance'] };

/** Read models get so long to follow an import before it goes on all the same. */
const FOLLOWS_WITHIN_MS = 5_000;

/** The part of ingestion that takes in files. */
export function fileImports(kernel: Kernel, { intake, allowance }: On) {
  const { handle, load, read, stores, clock, newId, log, visibleIn, caughtUp } = kernel;
  const { files, kv } = stores;
  const tables = tableFiles();
  const commands = importCommands({ handle, load, files, tables, kv });
  const queries = importQueries(read(ingestionProjection));
  const visible = visibleIn(ingestionProjection);
  const takeIn = takeInOf({
    ...{ commands, files, tables, intake, allowance },
    shown: ({ events, signals }) =>
      Promise.all([
        events === null || caughtUp(eventsProjection, events, FOLLOWS_WITHIN_MS),
        signals === null || caughtUp(signalsProjection, signals, FOLLOWS_WITHIN_MS),
      ]),
  });
  return {
    rows: importRows({ imports: commands, importQueries: queries, allowance, clock, visible }),
    schedulers: {
      importing: () => importing({ commands, takeIn, queries, visible, clock, newId, log }),
    },
  };
}
