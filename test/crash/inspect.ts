import { readConfig } from '../../config.js';
import { openPlatform, projections, type Platform } from '../../main.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { auditProjection } from '../../projections/audit/projection.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { signalsProjection } from '../../projections/signals/projection.js';
import { usageProjection } from '../../projections/usage/projection.js';
import type { Projection } from '../../projections/engine/projection.js';
import { verify, type Verified } from '../../workers/engine/verify.js';
import { silent } from '../platform.js';
import type { NaiveSignals } from '../projections/naive-signals.js';
import { sameSignals } from '../projections/signals-world.js';
import { audit, type Audit } from './audit.js';

/**
 * Looks at the data of a platform that is stopped: the log fact by fact, and every document against a full
 * replay.
 */
export async function inspect(dataDir: string): Promise<Audit> {
  const config = readConfig({ DATA_DIR: dataDir });
  const platform = await openPlatform({
    config,
    log: silent,
    running: ['projections'],
    owner: 'the inspector',
  });
  try {
    const found = await audit(platform.stores.events);
    await platform.visible(await platform.stores.events.head());
    for (const p of projections) found.faults.push(...(await differences(platform, p)));
    for (const [workspace, naive] of found.signals)
      found.faults.push(...(await otherwise(platform, workspace, naive)));
    return found;
  } finally {
    await platform.stop();
  }
}

/** What is read of signals that is not as a plain account of the facts says. */
async function otherwise({ areas }: Platform, workspace: string, naive: NaiveSignals): Promise<string[]> {
  const everything = [[EARLIEST, LATEST, 10_000]] as const;
  return sameSignals(areas.signals.queries, workspace, naive, [...naive.signals.keys()], everything).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

/** What all of these tests leave behind; of the others most have nothing to tell. */
const busy = [
  identityProjection,
  auditProjection,
  eventsProjection,
  signalsProjection,
  billingProjection,
  usageProjection,
];

/** Documents that are not as a replay of all facts makes them. */
export async function differences(
  { stores, generations, projectors }: Platform,
  projection: Projection,
): Promise<string[]> {
  const steps = verify({
    store: stores.events,
    models: stores.models,
    generations,
    projection,
    projector: projectors.of(projection),
    graceMs: 0,
    signal: new AbortController().signal,
  });
  for (;;) {
    const step: IteratorResult<unknown, Verified> = await steps.next();
    if (!step.done) continue;
    const { documents, differences: found } = step.value;
    const empty = documents === 0 && busy.includes(projection);
    return [
      ...(empty ? [`${projection.name} has no documents`] : []),
      ...found.map(each => JSON.stringify(each)),
    ];
  }
}
