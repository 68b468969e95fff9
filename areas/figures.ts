import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../adapters/metrics/figures.js';
import { SECOND } from '../domain/time.js';
import type { Projection } from '../projections/engine/projection.js';
import { checkpointOf, type Reactor } from '../workers/engine/reactor.js';
import { setAsideQueries } from '../workers/engine/set-aside-facts.js';
import type { Kernel } from './kernel.js';

type Watching = {
  readonly kernel: Kernel;
  readonly projections: readonly Projection[];
  /** Those that run in this process. */
  readonly reactors: readonly Reactor[];
  /** Events that wait for a score. */
  readonly backlog: () => Promise<number>;
};

/** States of the whole platform that an operator wants to see. */
export function figuresOf(watching: Watching): Figure[] {
  const { stores, config } = watching.kernel;
  return [
    ...lagFigures(watching),
    ...setAsideFigures(watching),
    {
      name: 'presage_scoring_backlog_events',
      help: 'Events that wait for a score',
      label: null,
      look: async () => [['', await watching.backlog()]],
    },
    ...(stores.shared ? [] : folderFigures(config.DATA_DIR)),
  ];
}

/** How far everything is behind the log. */
function lagFigures({ kernel, projections, reactors }: Watching): Figure[] {
  const { stores, projectors, clock } = kernel;
  /** Seconds since the oldest fact behind a position was decided; 0 at the end of the log. */
  const behind = async (position: number): Promise<number> => {
    const [next] = await stores.events.page(position, 1);
    return next ? Math.max(0, clock() - next.at) / SECOND : 0;
  };
  return [
    {
      name: 'presage_projection_lag_seconds',
      help: 'Age of the oldest fact that the documents of a projection lack; 0 when they hold all',
      label: 'projection',
      look: () => each(projections, async p => behind(await projectors.positionOf(p))),
    },
    {
      name: 'presage_reactor_lag_seconds',
      help: 'Age of the oldest fact that a reactor of this process has not passed; 0 at the end of the log',
      label: 'reactor',
      look: () => each(reactors, async r => behind(await stores.models.checkpoint(checkpointOf(r)))),
    },
  ];
}

/** Facts that reactors failed at. */
function setAsideFigures({ kernel, reactors }: Watching): Figure[] {
  const { count } = setAsideQueries(kernel.stores.models);
  const figure = (state: 'waiting' | 'parked', help: string): Figure => ({
    name: `presage_reactor_${state}_facts`,
    help,
    label: 'reactor',
    look: () => each(reactors, ({ name }) => count({ state, reactor: name })),
  });
  return [
    figure('waiting', 'Facts that a reactor of this process failed at and tries again by itself'),
    figure(
      'parked',
      'Facts that a reactor of this process failed at and tries again only when somebody asks',
    ),
  ];
}

/** What the embedded stores have on the disk, and what is left there. */
function folderFigures(folder: string): Figure[] {
  return [
    {
      name: 'presage_data_folder_size_bytes',
      help: 'Size of the files of the data folder',
      label: null,
      look: async () => [['', await sizeOf(folder)]],
    },
    {
      name: 'presage_data_folder_free_bytes',
      help: 'Room that is left to this process on the disk of the data folder',
      label: null,
      async look() {
        const { bavail, bsize } = await statfs(folder);
        return [['', bavail * bsize]];
      },
    },
  ];
}

/** Files may come and go meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(
    files.map(file =>
      stat(join(folder, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const each = <T extends { readonly name: string }>(
  all: readonly T[],
  lagOf: (one: T) => Promise<number>,
): Promise<(readonly [string, number])[]> =>
  Promise.all(all.map(async one => [one.name, await lagOf(one)] as const));
