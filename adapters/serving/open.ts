import type { Log } from '../../commands/ports/log.js';
import { ModelFileLost, type ModelFiles } from '../../commands/model-files.js';
import { ModelFailed } from '../../commands/serving-pool.js';
import { FIRST_PARTY, type HostedModel } from '../../domain/models/hosted.js';
import { isMade, MADE } from '../../domain/models/made.js';
import { broughtWorkers } from '../forecaster/brought.js';
import { openFamily, type Family } from '../forecaster/family.js';
import { localPool, nameOf, type LocalPool } from './local.js';

type Opening = {
  readonly threads: number;
  /** Of each process that runs what people brought. */
  readonly memoryMb: number;
  /** Of imported models. */
  readonly files: ModelFiles;
  readonly clock: () => number;
  readonly log: Log;
};

/**
 * A portion of a model that somebody brought takes no longer, nor a series of what was trained here: methods
 * that look for their orders anew take up to half a minute for a long one on a busy machine. The series of a
 * call go there one by one, so that they have their time each.
 */
const BROUGHT_WITHIN_MS = 30_000;
const EACH_WITHIN = { portion: 1, withinMs: 60_000 };

/** Of what may be under way of them in all, one workspace may have so much beside its first call. */
const BROUGHT_SHARE = 1 / 4;

/**
 * The models that are served, behind workers of this process; these start when there is work for them. Those
 * of imported models are others than those of our own, and so are those of what was trained here: a file that
 * ends its thread, or is slow, holds up nothing else. What people brought runs in processes.
 */
export function openLocalPool({ threads, memoryMb, files, clock, log }: Opening): LocalPool {
  const hung = (err: Error): void => log.error({ err }, 'a thread that forecasts hung and was replaced');
  const own = openFamily({ threads, hung });
  const filed = { threads, hung, dir: files.folder, slugs: [] };
  const imported = openFamily(filed);
  const made = openFamily({ ...filed, ...EACH_WITHIN });
  const brought = openFamily({
    ...{ ...filed, share: BROUGHT_SHARE },
    workers: (maxWaiting, maxWaitingInLane) =>
      broughtWorkers({
        ...{ dir: files.folder, processes: threads, memoryMb, maxWaiting, maxWaitingInLane },
        withinMs: BROUGHT_WITHIN_MS,
      }),
  });
  const familyOf = (model: HostedModel): Family => {
    if (!isMade(model)) return imported;
    return model.family === MADE.byom ? brought : made;
  };
  /** What was told of a model, by family and slug: once, until a forecast with it goes well. */
  const told = new Map<string, string>();
  const tell = (level: 'warn' | 'error', model: HostedModel, err: unknown, what: string): void => {
    if (told.get(nameOf(model)) !== what) log[level]({ err, model: nameOf(model) }, what);
    told.set(nameOf(model), what);
  };
  const lost = (model: HostedModel) => (err: unknown) => {
    tell('error', model, err, 'the file of a model cannot be used');
    throw new ModelFileLost(model, err);
  };
  return localPool({
    ...{ threads, clock },
    families: [own, imported, made, brought],
    placeOf: async model =>
      model.family === FIRST_PARTY
        ? { family: own, slug: model.slug }
        : { family: familyOf(model), slug: await files.place(model).catch(lost(model)) },
    worked: model => void told.delete(nameOf(model)),
    async failed(model, error) {
      if (model.family !== FIRST_PARTY) await files.verify(model).catch(lost(model));
      if (error instanceof ModelFailed && error.cause !== undefined)
        tell('warn', model, error.cause, 'a model that somebody brought failed');
    },
  });
}
