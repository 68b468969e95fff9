import { intakeOf } from '../commands/ingestion/intake.js';
import { sourceCommands } from '../commands/ingestion/sources.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { sourceQueries } from '../projections/ingestion/source-queries.js';
import { area } from './area.js';
import type { EventsArea } from './events.js';
import type { Kernel } from './kernel.js';
import type { SignalsArea } from './signals.js';

type On = { readonly events: EventsArea; readonly signals: SignalsArea };

/** Where events and points come from by themselves. */
export const ingestionArea = (kernel: Kernel, { events, signals }: On) => {
  const { handle, load, read } = kernel;
  return area({
    name: 'ingestion',
    sources: sourceCommands(handle, load),
    queries: sourceQueries(read(ingestionProjection)),
    intake: intakeOf(events.commands, signals.commands),
  });
};
export type IngestionArea = ReturnType<typeof ingestionArea>;
