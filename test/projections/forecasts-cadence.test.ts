import * as assert from 'uvu/assert';
import { DAY, HOUR, MINUTE } from '../../domain/time.js';
import type { RecordDoc } from '../../projections/forecasts/documents.js';
import { forecastsProjection } from '../../projections/forecasts/projection.js';
import { settings } from '../domain/goals/given.js';
import { suite } from '../suite.js';

const MIDNIGHT = Date.UTC(2026, 0, 6);
const cadence = (cadenceS: number) => ({ settings: settings({ cadenceS }) });

/** The record of a goal after facts, each at its time. */
function after(...facts: readonly (readonly [type: string, at: number, data?: object])[]): RecordDoc {
  let doc: RecordDoc | null = null;
  for (const [type, at, data] of facts) {
    const fact = { type, at, data: { goalId: 'goa_1', ...data }, meta: { workspace: 'w' } };
    const made = forecastsProjection.on[type]!({ goal_records: doc }, fact as never);
    doc = made['goal_records'] as RecordDoc | null;
  }
  return doc!;
}
const paceOf = ({ handled, owed, due_at }: RecordDoc) => [handled, owed, due_at];
const daily = [
  ['GoalCreated', MIDNIGHT - DAY, cadence(86_400)],
  ['GoalWentActive', MIDNIGHT - HOUR],
] as const;

suite('beats of a cadence that changes', test => {
  test('count from when it was changed on', () => {
    const noon = MIDNIGHT + 12 * HOUR + MINUTE;
    const issued = ['GoalForecastMissed', MIDNIGHT, { lastDueAt: MIDNIGHT }] as const;
    const shorter = after(...daily, issued, ['GoalChanged', noon, cadence(3_600)]);
    assert.equal(paceOf(shorter), [noon, null, MIDNIGHT + 13 * HOUR]);
    const renamed = after(...daily, issued, ['GoalChanged', noon, cadence(86_400)]);
    assert.equal(paceOf(renamed), [MIDNIGHT, null, MIDNIGHT + DAY]);
  });

  test('what was due by the old one is still made, and owed no more then', () => {
    const at = MIDNIGHT + 2 * HOUR + MINUTE;
    const changed = [...daily, ['GoalChanged', at, cadence(3_600)]] as const;
    const owed = { beat: MIDNIGHT, passed: null };
    assert.equal(paceOf(after(...changed)), [at, owed, MIDNIGHT]);
    const made = after(...changed, ['GoalForecastMissed', at, { lastDueAt: MIDNIGHT }]);
    assert.equal(paceOf(made), [at, null, MIDNIGHT + 3 * HOUR]);
    const resumed = after(...changed, ['GoalPaused', at], ['GoalResumed', at + HOUR]);
    assert.equal(paceOf(resumed), [at + HOUR, null, MIDNIGHT + 4 * HOUR]);
  });

  test('count by months from when its steps became such, though as long as before', () => {
    const month = 2_629_746;
    const at = MIDNIGHT + 2 * HOUR;
    const fixed = settings({ stepS: 86_400, cadenceS: month });
    const months = settings({ stepS: month, stepMonths: 1, cadenceS: month });
    const before = after(['GoalCreated', MIDNIGHT, { settings: fixed }], ['GoalWentActive', MIDNIGHT]);
    assert.is(before.due_at, Math.ceil(MIDNIGHT / month / 1_000) * month * 1_000);
    const changed = after(
      ['GoalCreated', MIDNIGHT, { settings: fixed }],
      ['GoalWentActive', MIDNIGHT],
      ['GoalChanged', at, { settings: months }],
    );
    assert.equal(paceOf(changed), [at, null, Date.UTC(2026, 1, 1)]);
  });
});
