import * as assert from 'uvu/assert';
import { fold } from '../../domain/decider.js';
import type { RecordPoints, SignalCommand } from '../../domain/signals/commands.js';
import { signals } from '../../domain/signals/decider.js';
import { MAX_POINTS, pointsIn } from '../../domain/signals/recording.js';
import { initialState, type LiveSignal } from '../../domain/signals/state.js';
import type { PointsRecorded, PointsRevised, SignalFact } from '../../domain/signals/facts.js';
import { packed } from '../../domain/signals/points.js';
import { given, givenState, stored } from '../spec.js';
import { suite } from '../suite.js';

const NOW = 5_000;
const key = 'shop.orders';
const of = { workspace: 'w', key };
type Pairs = readonly (readonly [time: number, value: number])[];

const columns = (pairs: Pairs) => ({
  times: pairs.map(([time]) => time),
  values: pairs.map(([, value]) => value),
});
const push = (pairs: Pairs, over: Partial<RecordPoints['data']> = {}): SignalCommand => ({
  type: 'RecordPoints',
  data: { ...of, ...columns(pairs), unit: null, origin: 'api', now: NOW, ...over },
});
const recorded = (pairs: Pairs, at?: number): PointsRecorded & { at?: number } => ({
  type: 'PointsRecorded',
  data: { key, points: packed(columns(pairs)), origin: 'api' },
  ...(at !== undefined && { at }),
});
const revised = (
  pairs: Pairs,
  was: number[],
  since: PointsRevised['data']['since'],
  at?: number,
): PointsRevised & { at?: number } => ({
  type: 'PointsRevised',
  data: { key, points: packed(columns(pairs)), was, since, origin: 'api' },
  ...(at !== undefined && { at }),
});
const reported = (unit: string): SignalFact => ({ type: 'SignalUnitReported', data: { key, unit } });
const deleted: SignalFact = { type: 'SignalDeleted', data: { key } };
const ramp = (length: number, from = 0): Pairs => Array.from({ length }, (_, i) => [from + 10 * i, i]);

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

const snapshot = (over: Partial<LiveSignal> = {}): LiveSignal => ({
  status: 'live',
  last: 40,
  reportedUnit: null,
  unit: null,
  group: null,
  name: null,
  layers: [
    {
      points: packed(
        columns([
          [10, 1],
          [20, 2],
        ]),
      ),
      recorded: [
        [1, 100],
        [1, 110],
      ],
    },
    {
      points: packed(
        columns([
          [30, 3],
          [40, 4],
        ]),
      ),
      recorded: [[2, 120]],
    },
  ],
  ...over,
});
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
