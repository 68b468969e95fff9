import { endings } from './adapters/endings.js';
import type { Row } from './api/edge/row.js';
import { startWork, type Area } from './areas/area.js';
import { figuresOf } from './areas/figures.js';
import { areasOn, type Areas } from './areas/index.js';
import { projections, reactorNames } from './areas/names.js';
import { openKernel, type Kernel, type Opening } from './areas/kernel.js';
import { START } from './domain/fact.js';

export { projections };
export type { Opening } from './areas/kernel.js';
export { processRoles, type ProcessRole } from './areas/process-roles.js';

/** Everything that runs, wired: the one place that knows all rooms. */
export type Platform = Kernel & {
  readonly areas: Areas;
  readonly rows: readonly Row[];
  /**
   * Resolves when the read models of all projections hold the fact at a position, or when that takes longer
   * than is allowed.
   */
  readonly visible: (position: number | null) => Promise<void>;
  /** Resolves when the models that are deployed are loaded here, or could not be; at once where none is. */
  readonly warmed: Promise<void>;
  /** Stops all that runs in its order, writes what is left, lets go of the stores. */
  readonly stop: () => Promise<void>;
};

/** Opens the platform; where that fails, everything that was begun has ended when it throws. */
export async function openPlatform(opening: Opening): Promise<Platform> {
  const ends = endings();
  const present: Area[] = [];
  try {
    const kernel = await openKernel(
      {
        ...opening,
        projections,
        reactors: reactorNames,
        projected: (p, page) => present.forEach(area => area.projected?.(p, page)),
      },
      ends,
    );
    const areas = await areasOn(kernel, ends);
    present.push(...Object.values<Area>(areas));
    refuseUnnamed(present);
    const working = opening.running.includes('workers');
    const reactors = working ? present.flatMap(area => area.reactors ?? []) : [];
    kernel.metrics?.show(figuresOf({ kernel, projections, reactors, backlog: areas.events.backlog }));
    kernel.metrics?.show(areas.realtime.figures);
    if (working) {
      const work = startWork(present, kernel, opening.owner);
      ends.keep({ close: async () => void (await Promise.all(work.map(({ stop }) => stop()))) });
    }
    const serving = opening.running.includes('serving')
      ? present.flatMap(area => area.serving?.() ?? [])
      : [];
    ends.keep({ close: async () => void (await Promise.all(serving.map(({ stop }) => stop()))) });
    const training = opening.running.includes('training')
      ? present.flatMap(area => area.training?.() ?? [])
      : [];
    ends.keep({ close: async () => void (await Promise.all(training.map(({ stop }) => stop()))) });
    return {
      ...kernel,
      areas,
      rows: present.flatMap(({ rows = [] }) => rows),
      visible: kernel.visibleIn(...projections),
      warmed: Promise.all(serving.map(({ first }) => first)).then(() => undefined),
      stop: ends.end,
    };
  } catch (error) {
    await ends.end();
    throw error;
  }
}

/** Where each reactor stands is looked at before there are areas to ask. */
function refuseUnnamed(areas: readonly Area[]): void {
  const names = areas.flatMap(({ reactors = [] }) => reactors.map(({ name }) => name));
  const unnamed = names.filter(name => !reactorNames.includes(name));
  if (unnamed.length > 0) throw new Error(`reactorNames lacks ${unnamed.join(', ')}`);
}

/** Whether nothing has ever happened here. */
export const isEmpty = async ({ stores }: Platform): Promise<boolean> =>
  (await stores.events.head()) === START;
