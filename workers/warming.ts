import { isModelFileLost } from '../commands/model-files.js';
import type { Log } from '../commands/ports/log.js';
import type { HostedModel, HostedModels } from '../domain/models/hosted.js';
import { SECOND } from '../domain/time.js';
import type { DeploymentQueries } from '../projections/deployments/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: Pick<DeploymentQueries, 'wanted'>;
  readonly hosted: HostedModels;
  /** Makes so many workers of this process ready for a model. */
  readonly warm: (model: HostedModel, count: number) => Promise<void>;
  readonly log: Log;
};

/** `first`: resolves when what was deployed at the start is loaded, or could not be. */
export type Warming = Running & { readonly first: Promise<void> };

const LOOK_EVERY_MS = 500;
const AGAIN_MS = 5 * SECOND;

/**
 * Keeps workers of this process ready for the models that are deployed, from its start on: a worker that was
 * replaced has its models again before somebody waits for them.
 */
export function warming({ queries, hosted, warm, log }: Deps): Warming {
  let warmed = (): void => undefined;
  const first = new Promise<void>(resolve => {
    warmed = resolve;
  });
  const done = new Map<string, { readonly count: number; readonly at: number }>();
  const round = async (): Promise<void> => {
    const models = await hosted.all();
    // Each for itself: one that cannot be had holds up no other
    const loaded = await Promise.allSettled(
      models.map(async model => {
        const name = `${model.family}/${model.slug}`;
        const count = (await queries.wanted(model)) ?? 0;
        const last = done.get(name) ?? { count: 0, at: 0 };
        if (count === 0 && last.count === 0) return;
        if (count === last.count && performance.now() < last.at + AGAIN_MS) return;
        done.set(name, { count, at: performance.now() });
        await warm(model, count);
      }),
    );
    // Of a file that is lost whoever looked for it has told
    const failed = loaded.find(one => one.status === 'rejected' && !isModelFileLost(one.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  };
  const running = rounds(LOOK_EVERY_MS, log, 'models could not be kept warm; tried again', () =>
    round().finally(warmed),
  );
  return { ...running, first };
}
