import * as assert from 'uvu/assert';
import { messageOf } from '../../domain/deployments/message.js';
import { statuses } from '../../domain/deployments/state.js';
import { suite } from '../suite.js';

const quiet = { isReady: true, note: null, least: 1, workers: 4 };

suite('what is said of a deployment', test => {
  test('every state has words of its own', () => {
    const said = statuses.map(status => messageOf({ ...quiet, status }));
    assert.is(new Set(said).size, statuses.length);
    assert.is(said[statuses.indexOf('deployed')], 'Ready for forecasts');
  });
  test('ready is said only of one whose forward pass has just worked', () => {
    for (const status of ['deployed', 'scaling'] as const)
      assert.match(messageOf({ ...quiet, status, isReady: false }), /^Deployed, and no forward pass/);
    assert.match(messageOf({ ...quiet, status: 'degraded', isReady: false }), /^Forecasts are tried/);
  });
  test('one that is scaled says so, proved or not', () => {
    for (const isReady of [true, false])
      assert.match(messageOf({ ...quiet, status: 'scaling', isReady }), /; its size is being changed$/);
  });
  test('what the last fact said is the reason, but not the words of who retires it', () => {
    const note = 'a probe failed';
    const shown = statuses.filter(status => messageOf({ ...quiet, status, note }).endsWith(`: ${note}`));
    assert.equal(shown, ['deployed', 'degraded', 'failed']);
  });
  test('one that is scaled says where there are too few workers', () => {
    const scaled = (workers: number) => messageOf({ ...quiet, status: 'scaling', least: 3, workers });
    assert.match(scaled(2), ': 3 workers are to be kept ready, and the serving pool has 2;');
    assert.not.match(scaled(3), 'workers');
  });
});
