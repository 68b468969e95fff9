import { answers } from '../api/edge/answers.js';
import type { InUse } from '../api/signals/deps.js';
import { signalRows } from '../api/signals/rows.js';
import { signalCommands } from '../commands/signals.js';
import { signalFrames } from '../domain/signals/frames.js';
import { courses } from '../projections/catalogue/courses.js';
import { overviews } from '../projections/catalogue/overview.js';
import { catalogue } from '../projections/catalogue/queries.js';
import { signalsThen } from '../projections/catalogue/then.js';
import { signalLists } from '../projections/signals/lists.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { signalQueries } from '../projections/signals/queries.js';
import { thinnedSignals } from '../projections/signals/thinned.js';
import { area } from './area.js';
import { edgesOf } from './edges.js';
import type { EventsArea } from './events.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import { goneThen } from './signals-gone.js';

/** `inUse`: asked of goals and segments, which are built on signals. */
type On = { readonly events: EventsArea; readonly marketplace: MarketplaceArea; readonly inUse: InUse };

/** Answers of analyses that are kept while their data stay the same. */
const ANSWERS = { count: 1_000, bytes: 64 * 1024 * 1024 };

/** Continuous time series, and what they say about each other. */
export const signalsArea = (kernel: Kernel, { events, marketplace, inUse }: On) => {
  const { handle, tryOut, clock, compute, visibleIn, read } = kernel;
  const documents = read(signalsProjection);
  const queries = signalQueries(documents);
  const lists = signalLists(documents);
  const commands = signalCommands(handle, queries.known);
  const all = catalogue(lists, events.queries, marketplace.queries);
  const gone = goneThen(kernel.stores.events, queries);
  return area({
    name: 'signals',
    ...{ commands, queries },
    frames: { of: signalFrames, shown: visibleIn(signalsProjection) },
    rows: signalRows({
      ...{ commands, queries, lists, clock, inUse, edges: edgesOf(kernel).summaries },
      visible: visibleIn(signalsProjection),
      catalogue: all,
      signalsThen: signalsThen({ lists, catalogue: all, queries, gone }),
      gone,
      courses: courses(queries, events.queries),
      overview: overviews({ lists, catalogue: all, thinned: thinnedSignals(documents) }),
      market: marketplace.queries,
      streams: events,
      trying: () => ({
        commands: signalCommands(tryOut, queries.known),
        streams: { ...events, commands: events.tried },
      }),
      analysis: {
        reads: { catalogue: all, signals: queries, events: events.reads },
        compute,
        answers: answers(ANSWERS),
      },
    }),
  });
};
export type SignalsArea = ReturnType<typeof signalsArea>;
