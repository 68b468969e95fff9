import * as assert from 'uvu/assert';
import { nothingServes } from '../../../domain/pipelines/refusals.js';
import type { Mode } from '../../../domain/pipelines/settings.js';
import { suite } from '../../suite.js';
import { decide, NOW, note, of, result, start, withPolicy } from './given.js';
import { History } from './history.js';

const made = (mode: Mode, windows = false): History => {
  const history = new History();
  const schedule = {
    ...{ days: ['monday'], startS: 0, endS: 60, gapSeconds: 3600, timezone: 'UTC' },
  } as never;
  const settings = { ...withPolicy({ mode }), ...(windows && { schedule }) };
  history.does({ type: 'CreatePipeline', data: { ...of, settings, owner: 'usr_1', rowsSeen: 0 } });
  return history;
};
/** What is said of it, and after how many seconds to come back. */
const told = ({ live }: History, now = NOW) => {
  const { code, message, details } = nothingServes('pip_1', live, now);
  assert.is(code, 'deployment_not_ready');
  return [message.replace(/^Nothing serves the pipeline 'pip_1'/, ''), details['retry_after_s']];
};
const RUN = 'begin one by POST /v1/pipelines/pip_1/run';

suite('a pipeline that nothing serves', test => {
  test('says to come back soon where something is about to serve by itself', () => {
    const auto = made('auto');
    assert.equal(told(auto), [' yet: its cycle is not over', 30]);
    auto.does(start());
    assert.equal(told(auto), [' yet: its cycle is not over', 30]);
    auto.all(note(result(1)), note(result(2)));
    assert.equal(told(auto), [' yet: candidate cnd_1 is being deployed', 30]);
  });

  test('says what it waits for where somebody has to do something', () => {
    const manual = made('manual');
    const decides = ': its cycle is not over, and what comes of it is for somebody to decide';
    assert.equal(told(manual), [decides, 3_600]);
    manual.all(start(), note(result(1)), note(result(2)));
    assert.equal(told(manual), [': candidate cnd_1 waits for a decision', 3_600]);
    manual.does(decide({ decision: 'reject' }));
    assert.equal(told(manual), [`: it takes a cycle: ${RUN}`, 3_600]);
    manual.does({ type: 'PausePipeline', data: of });
    assert.equal(told(manual), [`: it is paused, and once resumed takes a cycle: ${RUN}`, 3_600]);
    assert.equal(told(made('auto', true)), [`: it takes a cycle: ${RUN}`, 3_600]);
    assert.equal(told(made('off')), [': its promotion is off', 3_600]);
  });

  test('says that its budget is spent, until the month is over', () => {
    const history = new History();
    const settings = { ...withPolicy({ mode: 'auto' }), monthlyCreditCap: 1 };
    history.does({ type: 'CreatePipeline', data: { ...of, settings, owner: 'usr_1', rowsSeen: 0 } });
    history.does(start({ trigger: 'created' }));
    assert.is(history.live.blocked, '2026-11');
    assert.equal(told(history), [': its budget for the month is spent', 3_600]);
    assert.equal(told(history, Date.UTC(2026, 11, 1)), [' yet: its cycle is not over', 30]);
  });

  test('after what served has gone, too', () => {
    const history = made('auto');
    history.all(
      ...[start(), note(result(1)), note(result(2))],
      { type: 'StartPromotion', data: { ...of, candidateId: 'cnd_1', promotionId: 'prm_1' } },
      { type: 'ConfirmPromotion', data: { ...of, promotionId: 'prm_1' } },
      { type: 'EndServing', data: { ...of, promotionId: 'prm_1' } },
    );
    assert.equal(told(history), [`: it takes a cycle: ${RUN}`, 3_600]);
  });
});
