import type { Log } from '../../commands/ports/log.js';
import { ModelFileLost, type ModelFiles } from '../../commands/model-files.js';
import { FIRST_PARTY, type HostedModel } from '../../domain/models/hosted.js';
import { openFamily } from '../forecaster/family.js';
import { localPool, type LocalPool } from './local.js';

type Opening = {
  readonly threads: number;
  /** Of imported models. */
  readonly files: ModelFiles;
  readonly clock: () => number;
  readonly log: Log;
};

/**
 * The models that are served, behind workers of this process; these start when there is work for them. Those
 * of imported models are others than those of our own: a file that ends its thread ends nothing of ours.
 */
export function openLocalPool({ threads, files, clock, log }: Opening): LocalPool {
  const hung = (err: Error): void => log.error({ err }, 'a thread that forecasts hung and was replaced');
  const own = openFamily({ threads, hung });
  const imported = openFamily({ threads, hung, dir: files.folder, slugs: [] });
  const lost = (model: HostedModel) => (err: unknown) => {
    log.error({ err }, 'the file of a model cannot be used');
    throw new ModelFileLost(model, err);
  };
  return localPool({
    ...{ threads, clock },
    families: [own, imported],
    placeOf: async model =>
      model.family === FIRST_PARTY
        ? { family: own, slug: model.slug }
        : { family: imported, slug: await files.place(model).catch(lost(model)) },
    checkFile: async model => {
      if (model.family !== FIRST_PARTY) await files.verify(model).catch(lost(model));
    },
  });
}
