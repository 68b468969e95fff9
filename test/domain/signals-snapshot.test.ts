import { signals } from '../../domain/signals/decider.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import { packed } from '../../domain/signals/points.js';
import { givenState } from '../spec.js';
import { suite } from '../suite.js';
import { of, columns, push, recorded, revised, reported, deleted, snapshot } from './signals-given.js';

suite('recording on a snapshot', test => {
  const from = (...past: (SignalFact & { at?: number })[]) => givenState(signals, snapshot(), ...past);
  test('knows what its layers hold, and since when', () =>
    from()
      .when(
        push([
          [10, 1],
          [20, 5],
          [25, 6],
          [40, 9],
        ]),
      )
      .then(
        recorded([[25, 6]]),
        revised(
          [
            [20, 5],
            [40, 9],
          ],
          [2, 4],
          [
            [1, 110],
            [1, 120],
          ],
        ),
      ));
  test('a later layer lies over an earlier one', () =>
    givenState(
      signals,
      snapshot({
        layers: [...snapshot().layers, { points: packed(columns([[20, 7]])), recorded: [[1, 300]] }],
      }),
    )
      .when(push([[20, 2]]))
      .then(revised([[20, 2]], [7], [[1, 300]])));
  test('facts behind it lie over all layers', () =>
    from(revised([[20, 7]], [2], [[1, 110]], 300), recorded([[50, 5]], 310))
      .when(
        push([
          [20, 2],
          [50, 6],
          [60, 6],
        ]),
      )
      .then(
        recorded([[60, 6]]),
        revised(
          [
            [20, 2],
            [50, 6],
          ],
          [7, 5],
          [
            [1, 300],
            [1, 310],
          ],
        ),
      ));
  test('whose layers are ahead of its revision: the facts come again and change nothing', () =>
    from(recorded([[40, 4]], 120))
      .when(
        push([
          [40, 4],
          [30, 3],
        ]),
      )
      .thenNothing());
  test('what is later than all it knows is new, whatever the layers', () =>
    givenState(signals, snapshot({ layers: [] }))
      .when(push([[41, 1]]))
      .then(recorded([[41, 1]])));
  test('deleted behind it nothing of it counts', () =>
    from(deleted)
      .when(push([[20, 2]]))
      .then(recorded([[20, 2]])));
  test('nor of its unit and name', () => {
    givenState(signals, snapshot({ reportedUnit: 'EUR' }), deleted)
      .when(push([[20, 2]], { unit: 'EUR' }))
      .then(recorded([[20, 2]]), reported('EUR'));
    givenState(signals, snapshot({ name: 'Orders' }), deleted, recorded([[1, 1]]))
      .when({ type: 'NameSignal', data: { ...of, name: null } })
      .thenNothing();
  });
  test('and a life after that is known by its own facts', () =>
    from(deleted, recorded([[20, 8]], 400))
      .when(
        push([
          [10, 1],
          [20, 2],
        ]),
      )
      .then(recorded([[10, 1]]), revised([[20, 2]], [8], [[1, 400]])));
});
