import * as assert from 'uvu/assert';
import { fold } from '../../domain/decider.js';
import { signals } from '../../domain/signals/decider.js';
import { MAX_POINTS, pointsIn } from '../../domain/signals/recording.js';
import { initialState } from '../../domain/signals/state.js';
import type { PointsRevised } from '../../domain/signals/facts.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';
import { NOW, push, recorded, revised, reported, ramp } from './signals-given.js';

suite('recording points', test => {
  test('of a new signal', () =>
    given(signals)
      .when(
        push([
          [10, 1],
          [20, 2],
        ]),
      )
      .then(
        recorded([
          [10, 1],
          [20, 2],
        ]),
      ));
  test('behind and before those there', () =>
    given(signals, recorded([[10, 1]]))
      .when(
        push([
          [5, 0],
          [20, 2],
        ]),
      )
      .then(
        recorded([
          [5, 0],
          [20, 2],
        ]),
      ));
  test('the same again is nothing', () =>
    given(
      signals,
      recorded([
        [10, 1],
        [20, 2],
      ]),
    )
      .when(
        push([
          [20, 2],
          [10, 1],
        ]),
      )
      .thenNothing());
  test('out of order they are put in order', () =>
    given(signals)
      .when(
        push([
          [30, 3],
          [10, 1],
          [20, 2],
        ]),
      )
      .then(
        recorded([
          [10, 1],
          [20, 2],
          [30, 3],
        ]),
      ));
  test('another value revises', () =>
    given(
      signals,
      recorded(
        [
          [10, 1],
          [20, 2],
        ],
        100,
      ),
    )
      .when(
        push([
          [10, 7],
          [20, 2],
        ]),
      )
      .then(revised([[10, 7]], [1], [[1, 100]])));
  test('new, known and revised ones in one push', () =>
    given(
      signals,
      recorded(
        [
          [10, 1],
          [20, 2],
        ],
        100,
      ),
    )
      .when(
        push([
          [10, 7],
          [15, 5],
          [20, 2],
        ]),
      )
      .then(recorded([[15, 5]]), revised([[10, 7]], [1], [[1, 100]])));
  test('a revision of a revision names what stood last', () =>
    given(signals, recorded([[10, 1]], 100), revised([[10, 2]], [1], [[1, 100]], 200))
      .when(push([[10, 3]]))
      .then(revised([[10, 3]], [2], [[1, 200]])));
  test('back to what it was is a revision too', () =>
    given(signals, recorded([[10, 1]], 100), revised([[10, 2]], [1], [[1, 100]], 200))
      .when(push([[10, 1]]))
      .then(revised([[10, 1]], [2], [[1, 200]])));
  test('values recorded at different times are told in runs', () =>
    given(
      signals,
      recorded(
        [
          [10, 1],
          [20, 2],
        ],
        100,
      ),
      recorded([[30, 3]], 200),
    )
      .when(
        push([
          [10, 0],
          [20, 0],
          [30, 0],
        ]),
      )
      .then(
        revised(
          [
            [10, 0],
            [20, 0],
            [30, 0],
          ],
          [1, 2, 3],
          [
            [2, 100],
            [1, 200],
          ],
        ),
      ));
  test('minus zero is zero', () =>
    given(signals, recorded([[10, 0]]))
      .when(push([[10, -0]]))
      .thenNothing());
  test('to a subscribed signal is refused', () =>
    given(signals)
      .when(push([[1, 1]], { key: 'mkt:x' }))
      .thenRejected(/read-only/));
});

suite('a time more than once in one push', test => {
  test('the same value counts once', () =>
    given(signals)
      .when(
        push([
          [10, 1],
          [10, 1],
          [10, 1],
        ]),
      )
      .then(recorded([[10, 1]])));
  test('the later value revises the earlier', () =>
    given(signals)
      .when(
        push([
          [10, 1],
          [10, 2],
        ]),
      )
      .then(recorded([[10, 1]]), revised([[10, 2]], [1], [[1, NOW]])));
  test('three values are two revisions, also out of order', () =>
    given(signals)
      .when(
        push([
          [20, 9],
          [10, 1],
          [10, 2],
          [20, 9],
          [10, 3],
        ]),
      )
      .then(
        recorded([
          [10, 1],
          [20, 9],
        ]),
        revised([[10, 2]], [1], [[1, NOW]]),
        revised([[10, 3]], [2], [[1, NOW]]),
      ));
  test('there and back again is nothing', () =>
    given(signals, recorded([[10, 1]], 100))
      .when(
        push([
          [10, 2],
          [10, 1],
        ]),
      )
      .thenNothing());
  test('the same push again is nothing, though it names values on the way', () =>
    given(signals, recorded([[10, 1]], 100), revised([[10, 2]], [1], [[1, 100]], 100))
      .when(
        push([
          [10, 1],
          [20, 5],
          [10, 2],
        ]),
      )
      .then(recorded([[20, 5]])));
  test('known values in between change nothing', () =>
    given(signals, recorded([[10, 1]], 100))
      .when(
        push([
          [10, 1],
          [10, 2],
          [10, 2],
        ]),
      )
      .then(revised([[10, 2]], [1], [[1, 100]])));
});

suite('many points', test => {
  test('1,000 are one fact, 1,001 are two', () => {
    given(signals)
      .when(push(ramp(MAX_POINTS)))
      .then(recorded(ramp(MAX_POINTS)));
    given(signals)
      .when(push(ramp(MAX_POINTS + 1)))
      .then(recorded(ramp(MAX_POINTS)), recorded([[10 * MAX_POINTS, MAX_POINTS]]));
  });
  test('revisions are cut alike in all their columns', () => {
    const past = ramp(2_500);
    const known = fold(signals, initialState, stored(recorded(past, 100)));
    const facts = signals.decide(
      push(past.map(([time, value]) => [time, value + 0.5])),
      known,
    ) as PointsRevised[];
    assert.equal(
      facts.map(({ data: { points, was, since } }) => [
        points.from,
        points.values.length,
        was.length,
        was[0],
        since,
      ]),
      [
        [0, 1_000, 1_000, 0, [[1_000, 100]]],
        [10_000, 1_000, 1_000, 1_000, [[1_000, 100]]],
        [20_000, 500, 500, 2_000, [[500, 100]]],
      ],
    );
  });
  test('the numbers of a push are the sums over its facts', () => {
    const facts = signals.decide(push([...ramp(1_500), [10, 5], [10, 5], [20, 2]]), initialState);
    assert.equal(pointsIn([...facts, reported('EUR')]), { recorded: 1_500, revised: 1 });
  });
});
