import * as assert from 'uvu/assert';
import { looking } from '../../commands/alerts/looking.js';
import type { Evidences } from '../../commands/alerts/ports.js';
import type { Check } from '../../domain/alerts/commands.js';
import type { Watched } from '../../domain/alerts/kinds.js';
import type { Accuracy } from '../../domain/forecasts/accuracy.js';
import type { ActualStep } from '../../domain/forecasts/grading.js';
import { HOUR } from '../../domain/time.js';
import { alertChecking } from '../../workers/alert-checking.js';
import { goalSettings } from '../api/forecasts-world.js';
import { stored } from '../spec.js';
import { suite } from '../suite.js';

const NOW = 500_000 * HOUR;
const step = (i: number, actual = 5): ActualStep => ({
  ...{ time: NOW + i * HOUR, actual, forecastIds: [], leads: [], losses: [], naiveLosses: [] },
  ...{ errors: [], scores: [i % 7] },
});
const known = Array.from({ length: 100 }, (_, i) => step(i));
const accuracy = { n: 100, value: 2, coverage: 0.8 } as Accuracy;
const above = (value: number): Watched => ({ kind: 'threshold', params: { value, direction: 'above' } });

/** What rules of these kinds read, and how often they were checked, when some steps came. */
async function checked(rules: readonly Watched[], came: readonly ActualStep[]) {
  const read: (string | number)[] = [];
  const checks: Check[] = [];
  const by: Partial<Evidences> = {
    async actuals(_, __, from) {
      read.push(from);
      return known.filter(({ time }) => time >= Math.min(from, known.at(-1)!.time));
    },
    async record() {
      read.push('record');
      return { week: accuracy, month: accuracy, byLead: [] };
    },
    async lastAt() {
      read.push('lastAt');
      return NOW + 100 * HOUR;
    },
  };
  const docs = rules.map((watched, i) => ({
    ...{ workspace: 'w', alert_id: `alr_${i}`, enabled: true, kind: watched.kind },
    state: { settings: { watched } },
  }));
  const { on } = alertChecking({
    queries: { ofGoal: async () => docs },
    commands: {
      async check(_: unknown, more: readonly Check[]) {
        checks.push(...more);
      },
    },
    ...{ look: looking(by as Evidences), checkedOn: [], alone: true, isArchived: () => false },
    ...{ settingsOf: async () => goalSettings(), caughtUp: async () => true },
  } as never);
  const [fact] = stored({ type: 'GoalActualsCame', data: { goalId: 'goa_1', steps: came } });
  await on['GoalActualsCame']!(fact as never, { at: NOW + 100 * HOUR } as never, null as never);
  return { read, checks };
}

suite('rules that are checked at an actual', test => {
  test('read of the past what says that it is new, and no more', async () => {
    const { read, checks } = await checked([above(1), above(9)], [step(99)]);
    assert.equal(read, [known.at(-1)!.time - 3 * HOUR]);
    assert.equal(
      checks.map(({ key }) => key.includes(String(step(99).time))),
      [true, true],
    );
  });

  test('read once what several of them ask for', async () => {
    const anomaly = { kind: 'anomaly', params: { level: 0.9 } } as const;
    const drift = { kind: 'drift', params: { worseBy: 0.1 } } as const;
    const coverage = { kind: 'coverage', params: { below: 0.5 } } as const;
    const rules = [anomaly, drift, { ...anomaly, params: { level: 0.5 } }, coverage, above(1)];
    const { read, checks } = await checked(rules, [step(98), step(99)]);
    assert.equal(read, [known[98]!.time - 3 * HOUR, -Infinity, 'lastAt', 'record']);
    assert.is(checks.length, 2 + 1 + 2 + 1 + 2);
  });

  test('pass what came late, and what is a correction of the past', async () => {
    const { checks } = await checked([above(1)], [step(20), step(99)]);
    assert.is(checks.length, 1);
    assert.is((await checked([above(1)], [step(20)])).checks.length, 0);
    // Nothing else is known: all of it is new
    assert.is((await checked([above(1)], known)).checks.length, 100);
  });
});
