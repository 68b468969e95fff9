import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { PipelineCommand } from '../../../domain/pipelines/commands.js';
import type { PipelineFact } from '../../../domain/pipelines/facts.js';
import { MODES } from '../../../domain/pipelines/settings.js';
import { Rejected } from '../../../domain/rejected.js';
import { DAY } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { comparison, cycleEntry, decide, failure, note, of, result, start, withPolicy } from './given.js';
import { History } from './history.js';

/** What may happen, told by what there is at the moment. */
type Step = (history: History, n: number) => PipelineCommand;
const candidateOf = (history: History): string => history.live.candidate?.candidateId ?? 'cnd_none';
const promotionOf = (history: History): string => history.live.candidate?.promotionId ?? 'prm_none';
const steps: readonly Step[] = [
  (history, n) => {
    const { cycles, cycle } = history.live;
    const entries = [cycleEntry(1), cycleEntry(2)].slice(0, 1 + (n % 2));
    const trigger = n % 3 === 0 ? 'schedule' : 'manual';
    const cycleId = cycle?.cycleId ?? `cyc_${cycles + 1}`;
    return start({ at: history.at, cycleId, number: cycles + 1, trigger, entries });
  },
  (history, n) => {
    const which = 1 + (n % 2);
    const compared = { score: n / 20, comparison: comparison((n % 9) / 10 - 0.3) };
    const came = n % 5 === 0 ? failure(which) : result(which, compared);
    const cycleId = history.live.cycle?.cycleId ?? 'cyc_none';
    return note(came, { at: history.at, cycleId, candidateId: `cnd_${history.facts.length}` });
  },
  (history, n) => {
    const decision = (['approve', 'approve', 'reject', 'defer'] as const)[n % 4]!;
    return decide({ at: history.at, decision, until: history.at + DAY, demotePrevious: n % 3 !== 0 });
  },
  (history, n) => {
    const data = {
      ...of,
      candidateId: candidateOf(history),
      promotionId: `prm_${history.facts.length}_${n}`,
    };
    return { type: 'StartPromotion', data };
  },
  history => ({ type: 'ConfirmPromotion', data: { ...of, promotionId: promotionOf(history) } }),
  history => {
    const on = { candidateId: candidateOf(history), promotionId: promotionOf(history) };
    return { type: 'FailPromotion', data: { ...of, ...on, at: history.at, code: 'c', message: 'm' } };
  },
  history => {
    const promotionId = history.live.serving?.promotionId ?? 'prm_none';
    return { type: 'EndServing', data: { ...of, promotionId } };
  },
  history => ({ type: 'KeepCandidate', data: { ...of, at: history.at } }),
  (history, n) => {
    const settings = withPolicy({ mode: MODES[n % 3]! });
    return { type: 'ChangePipeline', data: { ...of, settings, seen: history.live.version } };
  },
  (_, n) => ({ type: n % 4 === 0 ? 'PausePipeline' : 'ResumePipeline', data: of }),
];

/** Ids of candidates that are not over, in the order in which they came. */
function open(facts: readonly PipelineFact[]): string[] {
  const found = new Set<string>();
  for (const { type, data } of facts) {
    if (type === 'CandidateProposed') found.add(data.candidateId);
    const ends = ['CandidateRejected', 'CandidateSuperseded', 'CandidateExpired', 'CandidatePromoted'];
    if (ends.includes(type)) found.delete((data as { candidateId: string }).candidateId);
  }
  return [...found];
}

suite('whatever happens to a pipeline', test => {
  test('one candidate at most; what serves goes on until another is deployed; none is promoted twice', () => {
    const moves = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.nat(30), fc.nat(5)), {
      ...{ minLength: 60, maxLength: 120 },
    });
    let promoted = 0;
    fc.assert(
      fc.property(moves, given => {
        const history = new History();
        const settings = withPolicy({ mode: 'auto' });
        history.does({ type: 'CreatePipeline', data: { ...of, settings, owner: 'usr_1', rowsSeen: 0 } });
        for (const [step, n, days] of given) {
          history.at += days * DAY;
          const before = history.live.serving?.promotionId ?? null;
          let decided: readonly PipelineFact[] = [];
          try {
            decided = history.does(steps[step]!(history, n));
          } catch (error) {
            if (!(error instanceof Rejected)) throw error;
          }
          const now = history.live.serving?.promotionId ?? null;
          const changes = decided.some(({ type }) => type === 'CandidatePromoted' || type === 'ServingEnded');
          assert.ok(now === before || changes, 'something else serves, and nothing said so');
          assert.ok(open(history.facts).length <= 1, 'two candidates');
          assert.is(open(history.facts)[0] ?? null, history.live.candidate?.candidateId ?? null);
        }
        const done = history.facts.flatMap(fact => (fact.type === 'CandidatePromoted' ? [fact.data] : []));
        const started = history.facts.flatMap(f => (f.type === 'PromotionStarted' ? [f.data] : []));
        promoted += done.length;
        assert.is(new Set(done.map(({ candidateId }) => candidateId)).size, done.length);
        assert.equal(
          done.map(({ version }) => version),
          done.map((_, i) => i + 1),
        );
        for (const { promotionId } of done) assert.ok(started.some(each => each.promotionId === promotionId));
      }),
      { numRuns: 400 },
    );
    assert.ok(promoted > 50, `only ${promoted} were promoted: the moves lead nowhere`);
  });
});
