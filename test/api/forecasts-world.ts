import * as assert from 'uvu/assert';
import { newId } from '../../commands/engine/ids.js';
import { START } from '../../domain/fact.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import type { Champion } from '../../domain/goals/model.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import { until, type Running } from '../platform.js';
import { HOUR_S } from './segments-world.js';

/** A goal's settings where a test does not say. */
export const goalSettings = (over: Partial<GoalSettings> = {}): GoalSettings => ({
  ...{ name: 'Sales', description: '', target: 'sales', objective: 'forecast', objectiveParams: {} },
  ...{ horizon: 6, stepS: HOUR_S, cadenceS: HOUR_S, timezone: 'UTC', metric: 'crps' },
  candidates: { signals: 'all', eventStreams: 'all', exclude: [] },
  options: {
    ...{ scheduledEvents: true, shockEnabled: true, importanceBar: null, autoDiscovery: 'off' },
    ...{ autoTournament: 'off', quantiles: [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95] },
    ...{ calibration: 'conformal', maxCreditPerMonth: null, fallback: 'seasonal_naive' },
  },
  ...{ tags: [], segmentId: null, pipelineId: null },
  ...over,
});

/** Makes a goal and gives it a champion, as a discovery and a tournament would. */
export async function activeGoal(
  { platform, installed }: Running,
  settings: GoalSettings,
  champion: 'none' | 'seasonal_naive' | Champion = 'seasonal_naive',
): Promise<string> {
  const workspace = installed.workspaceId;
  const goalId = newId('goa_');
  const at = platform.clock();
  const meta = {
    ...{ workspace, actor: 'token:test', request: null, correlation: platform.newId(), causation: null },
  };
  const own: Champion = {
    ...{ model: { kind: 'local', method: 'seasonal_naive' }, name: 'seasonal naive' },
    ...{ score: null, since: at, tournamentId: null },
  };
  const given = champion === 'seasonal_naive' ? own : champion;
  const named = given === 'none' ? null : given;
  const facts: GoalFact[] = [
    { type: 'GoalCreated', data: { goalId, settings, owner: 'usr_test', fleetId: null } },
    { type: 'GoalActivated', data: { goalId, skipsDiscovery: true } },
    { type: 'GoalWentActive', data: { goalId, champion: named, runnerUp: null } },
  ];
  const written = facts.map(fact => ({ id: platform.newId(), at, meta, ...fact }));
  const { position } = await platform.stores.events.append(`goal-${workspace}.${goalId}`, START, written);
  await platform.visible(position);
  return goalId;
}

/** Waits until a goal has so many forecasts, and gives them, newest first. */
export async function forecastsOf({ platform, installed }: Running, goalId: string, count: number) {
  const { queries } = platform.areas.forecasts;
  const page = async () =>
    (
      await queries.forecasts(
        installed.workspaceId,
        goalId,
        { from: null, to: null },
        { limit: 100, offset: 0 },
      )
    ).items;
  await until(async () => (await page()).length >= count, `${count} forecasts of ${goalId}`);
  const found = await page();
  assert.is(found.length, count);
  return found;
}
