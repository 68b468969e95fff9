import * as assert from 'uvu/assert';
import type { SignalCommand } from '../../domain/signals/commands.js';
import { signals } from '../../domain/signals/decider.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import { given, givenState } from '../spec.js';
import { suite } from '../suite.js';
import { key, of, push, recorded, reported, deleted, snapshot } from './signals-given.js';

suite('the unit a source reports', test => {
  test('comes with the first points', () =>
    given(signals)
      .when(push([[10, 1]], { unit: 'EUR' }))
      .then(recorded([[10, 1]]), reported('EUR')));
  test('is said once', () =>
    given(signals, recorded([[10, 1]]), reported('EUR'))
      .when(push([[20, 2]], { unit: 'EUR' }))
      .then(recorded([[20, 2]])));
  test('another one is said, also by points that are known', () =>
    given(signals, recorded([[10, 1]]), reported('EUR'))
      .when(push([[10, 1]], { unit: 'USD' }))
      .then(reported('USD')));
  test('none given leaves it', () =>
    given(signals, recorded([[10, 1]]), reported('EUR'))
      .when(push([[10, 1]]))
      .thenNothing());
  test('it has nothing to do with the one a person assigns', () =>
    given(signals, recorded([[10, 1]]), { type: 'SignalUnitAssigned', data: { key, unit: 'EUR' } })
      .when(push([[10, 1]], { unit: 'EUR' }))
      .then(reported('EUR')));
});

const labels = [
  { command: 'AssignUnit', fact: 'SignalUnitAssigned', member: 'unit' },
  { command: 'AssignGroup', fact: 'SignalGroupAssigned', member: 'group' },
  { command: 'NameSignal', fact: 'SignalNamed', member: 'name' },
] as const;
for (const { command, fact, member } of labels)
  suite(command, test => {
    const ask = (text: string | null, of2: object = of) =>
      ({ type: command, data: { ...of2, [member]: text } }) as SignalCommand;
    const said = (text: string | null) => ({ type: fact, data: { key, [member]: text } }) as SignalFact;
    test('says it', () =>
      given(signals, recorded([[1, 1]]))
        .when(ask('x'))
        .then(said('x')));
    test('once', () =>
      given(signals, recorded([[1, 1]]), said('x'))
        .when(ask('x'))
        .thenNothing());
    test('changes it', () =>
      given(signals, recorded([[1, 1]]), said('x'))
        .when(ask('y'))
        .then(said('y')));
    test('clears it', () =>
      given(signals, recorded([[1, 1]]), said('x'))
        .when(ask(null))
        .then(said(null)));
    test('finishingErasure nothing is nothing', () =>
      given(signals, recorded([[1, 1]]))
        .when(ask(null))
        .thenNothing());
    test('from a snapshot that says so is nothing', () =>
      givenState(signals, snapshot({ [member]: 'x' }))
        .when(ask('x'))
        .thenNothing());
    test('of no signal is refused', () =>
      given(signals)
        .when(ask('x'))
        .thenRejected(/^Signal not found$/));
    test('of a deleted one too', () =>
      given(signals, recorded([[1, 1]]), deleted)
        .when(ask(null))
        .thenRejected(/^Signal not found$/));
    test('of a subscribed one too', () =>
      given(signals, recorded([[1, 1]]))
        .when(ask('x', { workspace: 'w', key: 'mkt:x' }))
        .thenRejected(/read-only/));
    test('does not outlive a deletion', () =>
      given(signals, recorded([[1, 1]]), said('x'), deleted, recorded([[1, 1]]))
        .when(ask('x'))
        .then(said('x')));
  });

suite('DeleteSignal', test => {
  const remove = (of2: object = of) => ({ type: 'DeleteSignal', data: of2 }) as SignalCommand;
  test('ends it', () =>
    given(signals, recorded([[1, 1]]))
      .when(remove())
      .then(deleted));
  test('from a snapshot too', () => givenState(signals, snapshot()).when(remove()).then(deleted));
  test('of no signal is refused', () =>
    given(signals)
      .when(remove())
      .thenRejected(/^Signal not found$/));
  test('twice too', () =>
    given(signals, recorded([[1, 1]]), deleted)
      .when(remove())
      .thenRejected(/^Signal not found$/));
  test('of a subscribed one too', () =>
    given(signals, recorded([[1, 1]]))
      .when(remove({ workspace: 'w', key: 'mkt:x' }))
      .thenRejected(/read-only/));
});

suite('the state of a signal', test => {
  test('facts of labels before any points make nothing of it', () =>
    given(signals, { type: 'SignalNamed', data: { key, name: 'x' } })
      .when({ type: 'DeleteSignal', data: of })
      .thenRejected(/^Signal not found$/));
  test('its journal has the name of its workspace and key', () =>
    assert.is(signals.idOf(push([[1, 1]])), `w.${key}`));
});
