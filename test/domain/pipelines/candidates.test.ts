import * as assert from 'uvu/assert';
import type { PipelineCommand } from '../../../domain/pipelines/commands.js';
import type { Mode } from '../../../domain/pipelines/settings.js';
import { DAY } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { comparison, cycleEntry, decide, note, NOW, of, result, start, withPolicy } from './given.js';
import { History } from './history.js';

const proposedIn = (mode: Mode): History => {
  const history = new History();
  const settings = withPolicy({ mode });
  history.does({ type: 'CreatePipeline', data: { ...of, settings, owner: 'usr_1', rowsSeen: 0 } });
  history.all(start(), note(result(1)), note(result(2)));
  return history;
};
const promotion = (promotionId: string, candidateId = 'cnd_1') =>
  ({ type: 'StartPromotion', data: { ...of, candidateId, promotionId } }) as const;
const confirm = (promotionId: string) =>
  ({ type: 'ConfirmPromotion', data: { ...of, promotionId } }) as const;
const fail = (promotionId: string | null, candidateId = 'cnd_1'): PipelineCommand => ({
  type: 'FailPromotion',
  data: { ...of, at: NOW, candidateId, promotionId, code: 'probe_failed', message: 'no file' },
});
const codeOf = (history: History, command: PipelineCommand): string => {
  try {
    history.does(command);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

suite('a candidate', test => {
  test('manual: it is pending until somebody approves it, then deployed, and serves only then', () => {
    const history = proposedIn('manual');
    assert.is(history.live.candidate?.status, 'pending');
    assert.is(history.live.candidate?.until, NOW + 14 * DAY);
    assert.equal(history.all(decide()), ['CandidateApproved']);
    assert.is(codeOf(history, decide()), 'no_pending_decision');
    assert.equal(history.all(promotion('prm_1'), promotion('prm_1')), ['PromotionStarted']);
    assert.is(history.live.serving, null);
    assert.equal(history.all(confirm('prm_other')), []);
    assert.equal(history.all(confirm('prm_1'), confirm('prm_1')), ['CandidatePromoted']);
    assert.is(history.live.serving?.promotionId, 'prm_1');
    assert.is(history.live.candidate, null);
  });

  test('auto: it is approved by the policy', () => {
    const history = proposedIn('auto');
    assert.is(history.live.candidate?.status, 'approved');
    assert.is(codeOf(history, decide()), 'no_pending_decision');
  });

  test('its deployment fails: it is pending again with the error, and may be approved again', () => {
    const history = proposedIn('auto');
    assert.equal(history.all(promotion('prm_1'), fail('prm_1')), [
      'PromotionStarted',
      'PromotionFailed',
      'DecisionRequested',
    ]);
    assert.equal(history.live.candidate?.error, { code: 'probe_failed', message: 'no file' });
    assert.is(history.live.candidate?.status, 'pending');
    assert.equal(history.all(confirm('prm_1'), fail('prm_1')), []);
    assert.equal(history.all(decide(), promotion('prm_2'), confirm('prm_2')), [
      ...['CandidateApproved', 'PromotionStarted', 'CandidatePromoted'],
    ]);
  });

  test('approved again, it does not fail with the deployment before', () => {
    const history = proposedIn('auto');
    history.all(promotion('prm_1'), fail('prm_1'), decide());
    assert.equal(history.all(fail('prm_1')), []);
    assert.is(history.live.candidate?.status, 'approved');
    assert.equal(history.all(fail(null)), ['PromotionFailed', 'DecisionRequested']);
  });

  test('it comes to no deployment at all: as if it had failed', () => {
    const history = proposedIn('auto');
    assert.equal(history.all(fail(null)), ['PromotionFailed', 'DecisionRequested']);
  });

  test('what it takes the place of is named once it serves, and only where that is wanted', () => {
    for (const [demotePrevious, retired] of [
      [null, 'prm_1'],
      [false, null],
    ] as const) {
      const history = proposedIn('manual');
      history.all(decide(), promotion('prm_1'), confirm('prm_1'));
      history.does(start({ cycleId: 'cyc_2', number: 2, entries: [cycleEntry(1)] }));
      const better = result(1, { comparison: comparison(0.2) });
      history.does(note(better, { cycleId: 'cyc_2', candidateId: 'cnd_2' }));
      history.all(decide({ demotePrevious }), promotion('prm_2', 'cnd_2'));
      assert.is(history.live.serving?.promotionId, 'prm_1');
      const [promoted] = history.does(confirm('prm_2'));
      assert.is(promoted?.type === 'CandidatePromoted' ? promoted.data.retired : undefined, retired);
      assert.is(history.live.serving?.version, 2);
    }
  });

  test('a licence that forbids commercial use may be accepted with the decision', () => {
    const history = proposedIn('manual');
    const [plain] = history.does(decide());
    assert.not.ok('acceptNonCommercial' in plain!.data);
    assert.is(history.live.candidate?.acceptNonCommercial, false);
    const other = proposedIn('manual');
    const [fact] = other.does(decide({ acceptNonCommercial: true }));
    assert.is((fact!.data as { acceptNonCommercial?: true }).acceptNonCommercial, true);
    assert.is(other.live.candidate?.acceptNonCommercial, true);
  });

  test('rejected: it is gone', () => {
    const history = proposedIn('manual');
    assert.equal(history.all(decide({ decision: 'reject', reason: 'no' })), ['CandidateRejected']);
    assert.is(history.live.candidate, null);
    assert.is(codeOf(history, decide()), 'no_pending_decision');
  });

  test('deferred: it returns when its time has come, and expires when nobody decides', () => {
    const history = proposedIn('manual');
    const until = NOW + 3 * DAY;
    const keep = (at: number): PipelineCommand => ({ type: 'KeepCandidate', data: { ...of, at } });
    assert.equal(history.all(decide({ decision: 'defer', until })), ['CandidateDeferred']);
    assert.equal(history.all(keep(until - 1)), []);
    assert.equal(history.all(keep(until)), ['DecisionRequested']);
    assert.equal(history.all(keep(until + 14 * DAY - 1)), []);
    assert.is(codeOf(history, decide({ at: until + 14 * DAY })), 'no_pending_decision');
    assert.equal(history.all(keep(until + 14 * DAY)), ['CandidateExpired']);
    assert.is(history.live.candidate, null);
  });

  test('whoever means another candidate, or another version, is told', () => {
    const history = proposedIn('manual');
    assert.is(codeOf(history, decide({ candidateId: 'cnd_other' })), 'candidate_changed');
    assert.is(codeOf(history, decide({ seen: 2 })), 'version_conflict');
    assert.is(codeOf(history, decide({ seen: 1, candidateId: 'cnd_1' })), 'taken');
  });

  test('a later cycle with a better one supersedes it; one that is no better does not', () => {
    const history = proposedIn('manual');
    const later = (number: number, score: number): string[] => {
      const cycleId = `cyc_${number}`;
      history.does(start({ cycleId, number, entries: [cycleEntry(1)] }));
      return history.all(note(result(1, { score }), { cycleId, candidateId: `cnd_${number}` }));
    };
    assert.equal(later(2, 0.1), ['CycleTrained', 'CycleEnded']);
    assert.is(history.live.candidate?.candidateId, 'cnd_1');
    assert.equal(later(3, 0.05), [
      ...['CycleTrained', 'CycleEnded', 'CandidateSuperseded', 'CandidateProposed', 'DecisionRequested'],
    ]);
    assert.is(history.live.candidate?.candidateId, 'cnd_3');
  });

  test('while one is deployed no cycle begins', () => {
    const history = proposedIn('auto');
    assert.is(codeOf(history, start({ cycleId: 'cyc_2', number: 2 })), 'invalid_state');
    assert.equal(history.does(start({ cycleId: 'cyc_2', number: 2, trigger: 'schedule' })), []);
  });
});
