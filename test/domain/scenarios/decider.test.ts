import * as assert from 'uvu/assert';
import type { Fact } from '../../../domain/fact.js';
import { scenarios, type ScenarioCommand } from '../../../domain/scenarios/decider.js';
import type { ScenarioCreated, ScenarioFact, ScenarioResult } from '../../../domain/scenarios/facts.js';
import { isThere, type ScenarioState } from '../../../domain/scenarios/state.js';
import { suite } from '../../suite.js';

const of = { workspace: 'w', scenarioId: 'scn_1' };
const scenario: ScenarioCreated['data'] = {
  ...{ scenarioId: 'scn_1', goalId: 'goa_1', name: 'Cheaper', description: '', owner: 'usr_1' },
  ...{ base: 'latest', horizon: null, assumptions: [{ kind: 'edge_off', edgeId: 'edg_1' }] },
};
const price = { item: 'inference.series_step', quantity: 3, rate: '0.1', ratesVersion: '1', amount: 300 };
const requested = (run: number) => ({
  ...{ scenarioId: 'scn_1', goalId: 'goa_1', run, baseForecastId: 'fct_1', asOf: 5, horizon: 3, price },
  ...{ atOnce: false, paidAs: `scn_1.${run}` },
});
const result = { totalDelta: 1, contributions: [1] } as unknown as ScenarioResult;
const made = { result, codeVersion: '1' };
const create = (at: typeof made | null = null): ScenarioCommand => ({
  type: 'CreateScenario',
  data: { ...of, scenario, requested: requested(1), made: at },
});
const run = (number: number): ScenarioCommand => ({
  type: 'RunScenario',
  data: { ...of, requested: requested(number), made: null },
});
const start: ScenarioCommand = { type: 'StartRun', data: { ...of, run: 1 } };
const complete = (number: number): ScenarioCommand => ({
  type: 'CompleteRun',
  data: { ...of, run: number, ...made },
});
const fail: ScenarioCommand = { type: 'FailRun', data: { ...of, run: 1, code: 'c', message: 'm' } };
const removing = (seen: number | null): ScenarioCommand => ({
  type: 'DeleteScenario',
  data: { ...of, seen },
});
const remove = removing(null);

class History {
  state: ScenarioState = scenarios.initialState;
  does(command: ScenarioCommand): string[] {
    const facts = scenarios.decide(command, this.state);
    for (const fact of facts)
      this.state = scenarios.evolve(this.state, { ...fact, at: 9 } as Fact<ScenarioFact>);
    return facts.map(({ type }) => type);
  }
  refuses(command: ScenarioCommand): string {
    try {
      this.does(command);
      return 'taken';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
  get status(): string {
    return this.state.status;
  }
}

suite('a scenario', test => {
  test('waits, runs, and is over; what is said twice changes nothing', () => {
    const history = new History();
    assert.equal(history.does(create()), ['ScenarioCreated', 'ScenarioRunRequested']);
    assert.equal(history.does(create()), []);
    assert.is(history.status, 'queued');
    assert.is(history.refuses(run(2)), 'invalid_state');
    assert.equal(history.does(start), ['ScenarioRunStarted']);
    assert.equal(history.does(start), []);
    assert.equal(history.does(complete(1)), ['ScenarioRunCompleted']);
    for (const late of [complete(1), fail, start]) assert.equal(history.does(late), []);
    assert.ok(isThere(history.state) && history.state.result === result);
  });

  test('worked on at once it is completed from the beginning', () => {
    const history = new History();
    assert.equal(history.does(create(made)), [
      ...['ScenarioCreated', 'ScenarioRunRequested', 'ScenarioRunCompleted'],
    ]);
    assert.is(history.status, 'completed');
  });

  test('is run once more, one run at a time, and late news of the run before is none', () => {
    const history = new History();
    history.does(create());
    assert.equal(history.does(fail), ['ScenarioRunFailed']);
    assert.is(history.refuses(run(3)), 'invalid_state');
    assert.equal(history.does(run(2)), ['ScenarioRunRequested']);
    assert.equal(history.does(complete(1)), []);
    assert.equal(history.does(complete(2)), ['ScenarioRunCompleted']);
    assert.ok(isThere(history.state) && history.state.error === null);
    assert.equal(isThere(history.state) && history.state.completed, ['scn_1.2']);
  });

  test('is deleted for ever', () => {
    const history = new History();
    assert.is(history.refuses(remove), 'not_found');
    history.does(create());
    assert.equal(history.does(remove), ['ScenarioDeleted']);
    for (const later of [remove, run(2), complete(1)]) assert.is(history.refuses(later), 'not_found');
    assert.equal(history.does(create()), []);
  });

  test('is deleted at the version that was seen: another run makes one, how a run goes does not', () => {
    const history = new History();
    for (const command of [create(), start, complete(1), run(2)]) history.does(command);
    assert.is(history.refuses(removing(1)), 'version_conflict');
    history.does(complete(2));
    assert.equal(history.does(removing(2)), ['ScenarioDeleted']);
  });
});
