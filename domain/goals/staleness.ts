import { SECOND } from '../time.js';
import type { GoalSettings } from './settings.js';

/** A target that gets no data for more of its goal's cadences is stale. */
export const STALE_CADENCES = 10;

/**
 * Whether data of a target are overdue. `lastAt`: when points last came, null: it is not there; `now`; both
 * epoch ms. A forecast more often than there are steps asks for no more data.
 */
export const isOverdue = (
  { cadenceS, stepS }: Pick<GoalSettings, 'cadenceS' | 'stepS'>,
  lastAt: number | null,
  now: number,
): boolean => lastAt === null || now - lastAt > STALE_CADENCES * Math.max(cadenceS, stepS) * SECOND;
