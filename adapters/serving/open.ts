import type { Log } from '../../commands/ports/log.js';
import { FIRST_PARTY } from '../../domain/models/hosted.js';
import { openFamily } from '../forecaster/family.js';
import { localPool, type LocalPool } from './local.js';

type Opening = { readonly threads: number; readonly clock: () => number; readonly log: Log };

/** The models that are served, behind workers of this process; these start when there is work for them. */
export function openLocalPool({ threads, clock, log }: Opening): LocalPool {
  const hung = (err: Error): void => log.error({ err }, 'a thread that forecasts hung and was replaced');
  const families = new Map([[FIRST_PARTY, openFamily({ threads, hung })]]);
  return localPool({ families, threads, clock });
}
