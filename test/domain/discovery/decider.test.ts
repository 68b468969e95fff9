import * as assert from 'uvu/assert';
import { fold } from '../../../domain/decider.js';
import type { DiscoveryCommand } from '../../../domain/discovery/commands.js';
import { discoveries } from '../../../domain/discovery/decider.js';
import { alphaFor, type DiscoveryFact, type TestedSource } from '../../../domain/discovery/facts.js';
import { progressOf, type DiscoveryState, type KnownDiscovery } from '../../../domain/discovery/state.js';
import type { Fact } from '../../../domain/fact.js';
import { measured } from '../edges/given.js';
import { suite } from '../../suite.js';

const of = { workspace: 'w', discoveryId: 'dis_1' } as const;
const start: DiscoveryCommand = {
  type: 'StartDiscovery',
  data: {
    ...of,
    ...{ goalId: 'goa_1', trigger: 'manual', kind: 'search', asOf: 1 },
    scope: { kind: 'search', signals: 'all', eventStreams: ['news'], exclude: [] },
    subject: { target: 'orders', stepS: 3_600, timezone: 'UTC', horizon: 12 },
    settings: { method: 'default', alpha: 0.05, maxLagS: null, seed: 1 },
  },
};
const source = { kind: 'event_stream', sourceKey: 'news' } as const;
const begin: DiscoveryCommand = {
  type: 'BeginDiscovery',
  data: { ...of, sources: [source], edgeIds: [], leftOut: 0 },
};
const gather: DiscoveryCommand = { type: 'NoteGathered', data: { ...of, steps: 9, points: 0, events: 3 } };
const result = (verdict: TestedSource['verdict']): TestedSource => {
  const { responseCurve: _, response: __, ...figures } = measured();
  return { ...source, edgeId: null, verdict, reasons: [], measured: figures };
};
const testAll: DiscoveryCommand = {
  type: 'NoteTested',
  data: {
    ...of,
    used: {
      ...{ reference: 'seasonal_level', levelGain: 0.1, periods: [24], scale: 1, steps: 9, horizon: 12 },
      ...{ alpha: 0.05, maxLag: 0, placebos: 99, bootstraps: 300, folds: 5, seed: 1 },
    },
    ...{ tests: 3, warnings: [] },
    results: [result('validated'), result('candidate'), result('rejected'), result('untested')],
  },
};
const complete: DiscoveryCommand = { type: 'CompleteDiscovery', data: of };
const cancel: DiscoveryCommand = { type: 'CancelDiscovery', data: of };
const fail: DiscoveryCommand = { type: 'FailDiscovery', data: { ...of, code: 'not_found', message: 'gone' } };

class History {
  state: DiscoveryState = discoveries.initialState;
  does(command: DiscoveryCommand): string[] {
    const facts = discoveries.decide(command, this.state);
    const at = facts.map(fact => ({ ...fact, at: 1 }) as Fact<DiscoveryFact>);
    this.state = fold(discoveries, this.state, at);
    return facts.map(({ type }) => type);
  }
  get known(): KnownDiscovery {
    if (this.state.status === 'none') throw new Error('there is none');
    return this.state;
  }
}
const code = (work: () => unknown): string => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

suite('a discovery', test => {
  test('goes its way once, and counts what it found', () => {
    const history = new History();
    assert.is(
      code(() => history.does(cancel)),
      'not_found',
    );
    const progress: number[] = [];
    for (const [command, type] of [
      [start, 'DiscoveryStarted'],
      [begin, 'DiscoveryBegan'],
      [gather, 'DiscoveryGathered'],
      [testAll, 'DiscoveryTested'],
      [complete, 'DiscoveryCompleted'],
    ] as const) {
      assert.equal(history.does(command), [type]);
      assert.equal(history.does(command), [], `${type} once`);
      progress.push(progressOf(history.known));
    }
    assert.equal(progress, [...progress].sort());
    assert.equal([progress[0], progress.at(-1)], [0, 1]);
    assert.equal(history.known.counts, { tested: 3, found: 2, rejected: 1 });
    for (const later of [begin, gather, testAll, fail]) assert.equal(history.does(later), []);
    assert.is(
      code(() => history.does(cancel)),
      'invalid_state',
    );
  });

  test('is not completed before it has tested, and nothing follows its end', () => {
    for (const end of [cancel, fail]) {
      const history = new History();
      history.does(start);
      history.does(begin);
      assert.equal(history.does(complete), []);
      assert.equal(history.does(end).length, 1);
      for (const later of [gather, testAll, complete]) assert.equal(history.does(later), []);
      assert.is(progressOf(history.known), 1);
    }
  });

  test('holds edges that are looked at again to an alpha of each, and all else to its own', () => {
    const { settings } = start.data;
    const alphas = (told?: readonly number[]) => {
      const scope = { kind: 'recheck', edgeIds: ['a', 'b'], ...(told && { alphas: told }) } as const;
      return ['a', 'b', 'c'].map(edgeId => alphaFor({ scope, settings }, edgeId));
    };
    assert.equal(alphas([0.1, 0.01]), [0.1, 0.01, 0.05]);
    assert.equal(alphas(), [0.05, 0.05, 0.05], 'of one from before it was kept');
    assert.is(alphaFor(start.data, 'a'), 0.05);
  });
});
