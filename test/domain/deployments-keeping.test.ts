import * as assert from 'uvu/assert';
import { callsSince, classOf, latencyAt, NO_CALLS, together } from '../../domain/deployments/figures.js';
import { nextStep, type Kept, type Probe, type Seen } from '../../domain/deployments/keeping.js';
import type { Status } from '../../domain/deployments/state.js';
import { MINUTE, SECOND } from '../../domain/time.js';
import { suite } from '../suite.js';
import { of } from './deployments-given.js';

const SINCE = 1_000 * MINUTE;
const probe = (ok: boolean, at = SINCE): Probe => ({ ok, at, tookMs: 5, message: ok ? null : 'no file' });
const probes = (...outcomes: boolean[]): Probe[] => outcomes.map((ok, i) => probe(ok, SINCE + i));
const idle: Seen = {
  ...{ ready: 1, workers: 4, probes: [], inFlight: 0, usedAt: null },
  calls: { count: 0, errors: 0 },
};

/** What becomes of a deployment some time after its status began: the command, and what it says. */
const step = (status: Status, seen: Partial<Seen>, after = 0, kept: Partial<Kept> = {}) => {
  const deployment: Kept = {
    ...{ ...of, status, since: SINCE, replicas: { min: 2, max: 4 }, scaleToZeroAfterS: null },
    ...kept,
  };
  const command = nextStep(deployment, { ...idle, ...seen }, SINCE + after);
  if (!command) return null;
  const { workspace, promotionId, ...data } = command.data;
  assert.equal({ workspace, promotionId }, of);
  return [command.type, ...Object.values(data)] as const;
};

suite('what time makes of a deployment', test => {
  test('deploying: a passed probe makes it deployed', () => {
    assert.equal(step('deploying', { probes: probes(false, true) }), ['ConfirmDeployed', 5]);
    assert.is(step('deploying', { probes: [probe(true, SINCE - 1)] }), null, 'one of before says nothing');
  });
  test('deploying: three failed probes, or 10 minutes, make it failed', () => {
    assert.is(step('deploying', { probes: probes(false, false) }), null);
    const failed = step('deploying', { probes: probes(false, false, false) });
    assert.equal(failed, ['FailDeployment', 'probe_failed', 'no file', true]);
    assert.is(step('deploying', {}, 10 * MINUTE - 1), null);
    assert.is(step('deploying', {}, 10 * MINUTE)![1], 'not_ready_in_time');
  });
  test('scaling: it is finished when as many workers are ready as are wanted', () => {
    assert.is(step('scaling', { ready: 1 }, 10 * MINUTE - 1), null);
    assert.equal(step('scaling', { ready: 2 }), ['FinishScaling']);
  });
  test('scaling: after 10 minutes it is rolled back', () => {
    const back = step('scaling', { ready: 1, workers: 1 }, 10 * MINUTE);
    assert.is(back![0], 'RollBackScaling');
    assert.match(String(back![1]), '2 replicas could not be had within 10 minutes: the pool has 1 workers');
  });
  test('deployed: three failed probes, or errors of more than a fifth of the calls, degrade it', () => {
    assert.is(step('deployed', { probes: probes(false, false) }), null);
    assert.is(step('deployed', { probes: probes(false, false, true) }), null);
    assert.is(step('deployed', { probes: probes(false, false, false) })![0], 'DegradeDeployment');
    assert.is(step('deployed', { calls: { count: 10, errors: 2 } }), null);
    assert.is(step('deployed', { calls: { count: 9, errors: 9 } }), null, 'too few to tell');
    assert.match(
      String(step('deployed', { calls: { count: 10, errors: 3 } })![1]),
      '3 of 10 forecasts failed',
    );
  });
  test('degraded: three passed probes recover it, 15 minutes make it failed', () => {
    assert.is(step('degraded', { probes: probes(true, true) }, 15 * MINUTE - 1), null);
    assert.equal(step('degraded', { probes: probes(true, true, true) }), ['RecoverDeployment']);
    const before = [true, true, true].map(ok => probe(ok, SINCE - 1));
    assert.is(step('degraded', { probes: before }), null, 'those of before say nothing');
    assert.equal(step('degraded', {}, 15 * MINUTE)!.slice(0, 2), ['FailDeployment', 'degraded_too_long']);
  });
  test('deployed: it sleeps when nobody calls it for as long as it was told', () => {
    const drowsy = { scaleToZeroAfterS: 60 };
    assert.is(step('deployed', {}, MINUTE - 1, drowsy), null);
    assert.equal(step('deployed', {}, MINUTE, drowsy), ['PutToSleep']);
    assert.is(step('deployed', { usedAt: SINCE + 1 }, MINUTE, drowsy), null);
    assert.is(step('deployed', { inFlight: 1 }, MINUTE, drowsy), null);
    assert.is(step('deployed', {}, 1_000 * MINUTE), null, 'not told to');
  });
  test('retiring: it is retired when no call is under way, or after 30 seconds', () => {
    assert.is(step('retiring', { inFlight: 1 }, 30 * SECOND - 1), null);
    assert.equal(step('retiring', { inFlight: 1 }, 30 * SECOND), ['RetireDeployment']);
    assert.equal(step('retiring', {}), ['RetireDeployment']);
  });
  for (const status of ['sleeping', 'failed', 'retired'] as const)
    test(`${status}: nothing comes of itself`, () => assert.is(step(status, {}, 1_000 * MINUTE), null));
});

suite('figures of calls', test => {
  const counted = (...ms: number[]) => {
    const latencies: number[] = [];
    for (const each of ms) latencies[classOf(each)] = (latencies[classOf(each)] ?? 0) + 1;
    return { latencies: Array.from(latencies, count => count ?? 0) };
  };
  test('shares of latencies are within a tenth', () => {
    for (const ms of [0.02, 0.5, 1, 7.3, 100, 2_500, 250_000]) {
      const found = latencyAt(0.5, counted(ms))!;
      assert.ok(Math.abs(found / ms - 1) < 0.1, `${ms}: ${found}`);
    }
    const many = counted(...Array.from({ length: 100 }, (_, i) => i + 1));
    assert.ok(Math.abs(latencyAt(0.5, many)! / 50 - 1) < 0.1);
    assert.ok(Math.abs(latencyAt(0.95, many)! / 95 - 1) < 0.1);
    assert.is(latencyAt(0.5, NO_CALLS), null);
  });
  test('what several processes saw counts as one', () => {
    const recent = [
      { minute: 0, count: 3, errors: 1 },
      { minute: MINUTE, count: 2, errors: 0 },
    ];
    const one = { ...NO_CALLS, inFlight: 1, usedAt: 5, count: 5, errors: 1, latencies: [0, 4], recent };
    const both = together([one, NO_CALLS, { ...one, usedAt: 9, latencies: [1] }]);
    assert.equal([both.inFlight, both.usedAt, both.count, both.errors], [2, 9, 10, 2]);
    assert.equal(both.latencies, [1, 4]);
    assert.equal(callsSince(both, 0), { count: 10, errors: 2 });
    assert.equal(callsSince(both, 1), { count: 4, errors: 0 });
  });
});
