import { connectorsOf, webhook } from '../api/ingestion/connectors.js';
import { ingestionRows } from '../api/ingestion/rows.js';
import { bodiesOf } from '../commands/ingestion/bodies.js';
import { deliveryCommands } from '../commands/ingestion/deliveries.js';
import { intakeOf } from '../commands/ingestion/intake.js';
import { sourceCommands } from '../commands/ingestion/sources.js';
import { eventsProjection } from '../projections/events/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { sourceQueries } from '../projections/ingestion/source-queries.js';
import { sourceKeeping } from '../workers/source-keeping.js';
import { area } from './area.js';
import type { EventsArea } from './events.js';
import type { Kernel } from './kernel.js';
import { sourceNotices } from './notices.js';
import type { SignalsArea } from './signals.js';
import type { UsageArea } from './usage.js';

type On = { readonly events: EventsArea; readonly signals: SignalsArea; readonly usage: UsageArea };

/** Where events and points come from by themselves. */
export const ingestionArea = (kernel: Kernel, { events, signals, usage }: On) => {
  const { handle, load, read, stores, clock, newId, log, address, visibleIn } = kernel;
  const visible = visibleIn(ingestionProjection);
  const sources = sourceCommands(handle, load);
  const queries = sourceQueries(read(ingestionProjection));
  const intake = intakeOf(events.commands, signals.commands);
  const bodies = bodiesOf(stores.kv, stores.vault, clock);
  const deliveries = deliveryCommands({ handle, intake, bodies, log });
  const connectors = connectorsOf([webhook]);
  return area({
    name: 'ingestion',
    ...{ sources, queries, intake },
    notices: sourceNotices,
    schedulers: {
      'source keeping': () => sourceKeeping({ queries, sources, handle, clock, newId, visible, log }),
    },
    rows: ingestionRows({
      ...{ sources, deliveries, bodies, queries, connectors, clock },
      allowance: usage.allowance,
      publicUrl: address.url,
      visible,
      shown: { events: visibleIn(eventsProjection), signals: visibleIn(signalsProjection) },
      head: () => stores.events.head(),
    }),
  });
};
export type IngestionArea = ReturnType<typeof ingestionArea>;
