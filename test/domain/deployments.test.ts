import * as assert from 'uvu/assert';
import { deployments } from '../../domain/deployments/decider.js';
import type { DeploymentFact } from '../../domain/deployments/facts.js';
import { statuses, type Status } from '../../domain/deployments/state.js';
import { fold } from '../../domain/decider.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';
import { commands, facts, hosted, id, other, request, requested } from './deployments-given.js';

const { deployed, failed, scaled, degraded, slept, unpromoted, retired } = facts;

/** A past that leads to each status. */
const pasts: Readonly<Record<Status, readonly DeploymentFact[]>> = {
  deploying: [requested()],
  deployed: [requested(), deployed],
  scaling: [requested(), deployed, scaled],
  degraded: [requested(), deployed, degraded],
  sleeping: [requested(), deployed, slept],
  failed: [requested(), failed],
  retiring: [requested(), deployed, unpromoted],
  retired: [requested(), deployed, unpromoted, retired],
};
const statusOf = (past: readonly DeploymentFact[]): Status | undefined =>
  fold(deployments, deployments.initialState, stored(...past)).current?.status;

/** The table of states: what each command leads to, in which states; in all others nothing happens. */
const table: readonly [keyof typeof commands, Partial<Record<Status, DeploymentFact>>, Status][] = [
  ['confirm', { deploying: deployed }, 'deployed'],
  ['fail', { deploying: failed, degraded: failed }, 'failed'],
  ['finishScaling', { scaling: facts.scalingFinished }, 'deployed'],
  ['rollBack', { scaling: facts.rolledBack }, 'deployed'],
  ['degrade', { deployed: degraded }, 'degraded'],
  ['recover', { degraded: facts.recovered }, 'deployed'],
  ['sleep', { deployed: slept }, 'sleeping'],
  ['wake', { sleeping: facts.woken }, 'deploying'],
  [
    'unpromote',
    Object.fromEntries(
      ['deploying', 'deployed', 'scaling', 'degraded', 'sleeping', 'failed'].map(each => [each, unpromoted]),
    ),
    'retiring',
  ],
  ['retire', { retiring: retired }, 'retired'],
];

suite('states of a deployment', test => {
  test('each past of this test leads to its status', () =>
    assert.equal(
      statuses.map(status => statusOf(pasts[status])),
      statuses,
    ));
  for (const [name, leads, becomes] of table)
    for (const status of statuses) {
      const fact = leads[status];
      test(`${status}: ${name} ${fact ? `makes it ${becomes}` : 'changes nothing'}`, () => {
        const when = given(deployments, ...pasts[status]).when(commands[name]);
        if (!fact) return when.thenNothing();
        when.then(fact);
        assert.is(statusOf([...pasts[status], fact]), becomes);
      });
    }

  for (const status of statuses)
    test(`${status}: ${status === 'failed' ? 'is retried' : 'cannot be retried'}`, () => {
      const when = given(deployments, ...pasts[status]).when(commands.retry);
      if (status !== 'failed') return when.thenRejected(new RegExp(`Only what failed .* it is ${status}`));
      when.then(facts.retried);
      assert.is(statusOf([...pasts.failed, facts.retried]), 'deploying');
    });
  for (const status of statuses)
    test(`${status}: scaling back leaves it what it is, with fewer replicas`, () => {
      const large = requested({ replicas: { min: 3, max: 64 } });
      const past = pasts[status].map(fact => (fact.type === 'DeploymentRequested' ? large : fact));
      const when = given(deployments, ...past).when(commands.scaleBack);
      if (status !== 'deployed' && status !== 'degraded') return when.thenNothing();
      when.then(facts.scaledBack);
      assert.is(statusOf([...past, facts.scaledBack]), status);
      given(deployments, ...past, facts.scaledBack)
        .when(commands.scaleBack)
        .thenNothing();
    });
  test('what would only fail again is not retried', () =>
    given(deployments, requested(), { ...failed, data: { ...failed.data, retryable: false } })
      .when(commands.retry)
      .thenRejected(/only come again/));

  for (const status of statuses)
    test(`${status}: scaling`, () => {
      const when = given(deployments, ...pasts[status]).when(commands.scale);
      if (status !== 'deployed' && status !== 'degraded')
        return when.thenRejected(new RegExp(`deployed or degraded .* it is ${status}`));
      when.then(scaled);
      // A degraded one has to show first that it does better
      assert.is(statusOf([...pasts[status], scaled]), status === 'degraded' ? 'degraded' : 'scaling');
    });
  test('to the size that it has: nothing happens', () =>
    given(deployments, requested(), deployed, scaled, facts.scalingFinished)
      .when(commands.scale)
      .thenNothing());
  test('rolled back it has the size of before', () => {
    const past = [requested(), deployed, scaled, facts.rolledBack];
    const { current } = fold(deployments, deployments.initialState, stored<DeploymentFact>(...past));
    assert.equal([current!.replicas, current!.scaleToZeroAfterS], [{ min: 1, max: 64 }, null]);
  });

  for (const command of Object.values(commands)) {
    test(`${command.type} of none is not found`, () =>
      given(deployments)
        .when(command)
        .thenRejected(/^Deployment not found$/));
    test(`${command.type} of another of the same model is not found`, () =>
      given(deployments, requested({ promotionId: other }))
        .when(command)
        .thenRejected(/^Deployment not found$/));
  }
});

suite('asking for a deployment', test => {
  test('a model is taken into service, with defaults that its caps allow', () =>
    given(deployments).when(request()).then(requested()));
  test('once', () => given(deployments, requested()).when(request()).thenNothing());
  test('with what the caller wishes', () =>
    given(deployments)
      .when(request({ horizon: 48, name: 'Ours', reason: 'why', replicas: { min: 0, max: 2 } }))
      .then(requested({ horizon: 48, name: 'Ours', reason: 'why', replicas: { min: 0, max: 2 } })));
  test('a horizon above the cap is refused', () =>
    given(deployments)
      .when(request({ horizon: 97 }))
      .thenRejected(/horizon is 97, and presage\/nano of the family presage forecasts at most 96/));
  test('also where the model is deployed already', () =>
    given(deployments, requested())
      .when(request({ promotionId: other, horizon: 97 }))
      .thenRejected(/horizon is 97/));

  for (const status of statuses) {
    const past = pasts[status];
    if (status === 'retired')
      test('retired: it is deployed again', () =>
        given(deployments, ...past)
          .when(request({ promotionId: other }))
          .then(requested({ promotionId: other })));
    else if (status === 'retiring')
      test('retiring: it is retired with the next one', () =>
        given(deployments, ...past)
          .when(request({ promotionId: other }))
          .then(retired, requested({ promotionId: other })));
    else
      test(`${status}: it is deployed already`, () =>
        given(deployments, ...past)
          .when(request({ promotionId: other }))
          .thenRejected(/deployed in this workspace already|deployment in this workspace that failed/));
  }
  test('an earlier one can still be told from one that never was', () => {
    const past = [...pasts.retired, requested({ promotionId: other })];
    given(deployments, ...past)
      .when(commands.unpromote)
      .thenNothing();
    given(deployments, ...past)
      .when(commands.retry)
      .thenRejected(/it is retired/);
  });

  test('a deprecated model is refused, and says what to deploy instead', () => {
    const old = hosted({ deprecatedAt: 5, replacement: { family: 'presage', slug: 'mini' } });
    given(deployments)
      .when(request({ model: old }))
      .thenRejected(/deprecated; deploy presage\/mini instead/);
    given(deployments)
      .when(request({ model: hosted({ deprecatedAt: 5 }) }))
      .thenRejected(/takes no new deployments/);
    given(deployments, ...pasts.deployed, scaled)
      .when(commands.finishScaling)
      .then(facts.scalingFinished);
  });

  const research = hosted({ commercialUse: false, licence: 'CC-BY-NC-4.0' });
  test('a licence that forbids commercial use must be accepted', () => {
    given(deployments)
      .when(request({ model: research }))
      .thenRejected(/CC-BY-NC-4.0\) forbids commercial use; send accept_non_commercial/);
    given(deployments)
      .when(request({ model: research, acceptNonCommercial: true }))
      .then(requested({ acceptedNonCommercial: true }));
  });
  test('one that leaves service says which blueprint it came from, where there is one', () => {
    const origin = { pipelineId: null, trainingId: 'trn_1', blueprintUid: 'mdl_1' };
    const left = { promotionId: id, model: facts.unpromoted.data.model, blueprintUid: 'mdl_1' };
    given(deployments, requested({ origin }), deployed)
      .when(commands.unpromote)
      .then({ type: 'DeploymentUnpromoted', data: { ...left, reason: 'why', replacement: null } });
  });
  test('ids say of which model they are', () => {
    assert.is(deployments.idOf(commands.retry), 'wsp_w.0123456789abcdef');
    assert.throws(() =>
      deployments.idOf({ type: 'RetryDeployment', data: { workspace: 'w', promotionId: 'x' } }),
    );
    assert.is(id.length <= 64, true);
  });
});
