import * as assert from 'uvu/assert';
import type { EdgeCommand } from '../../../domain/edges/commands.js';
import { suite } from '../../suite.js';
import { check, FOUND, History, NOTHING, of, PASSES } from './given.js';

const pin = { type: 'PinEdge', data: of } as const;
const block = { type: 'BlockEdge', data: of } as const;
const unblock = { type: 'UnblockEdge', data: of } as const;
const outdate = ({ state }: History) =>
  ({
    ...{ type: 'OutdateEdge' as const },
    data: { ...of, checkId: state.status === 'none' ? 'none' : state.lastCheckId! },
  }) as const;
function refused(history: History, command: EdgeCommand): string {
  try {
    history.does(command);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
}
const past = (history: History): string[] => history.known.history.map(({ status }) => status);

suite('an edge', test => {
  test('is there once it is found, and validated where nothing stands against it', () => {
    const history = new History();
    assert.equal(history.does(NOTHING()), []);
    assert.is(refused(history, pin), 'not_found');
    assert.equal(history.does(check(true, {}, 'same')), ['EdgeFound', 'EdgeChecked', 'EdgeValidated']);
    assert.equal(history.does(check(true, {}, 'same')), []);
    assert.is(history.known.status, 'validated');
    assert.is(history.known.validatedLift, 0.2);
    assert.equal(past(history), ['validated']);
  });

  test('a candidate that fails its validation twice is rejected, and comes back with its history', () => {
    const history = new History();
    assert.equal(history.does(FOUND()), ['EdgeFound', 'EdgeChecked']);
    assert.is(history.known.status, 'candidate');
    assert.equal(history.does(FOUND()), ['EdgeChecked', 'EdgeRejected']);
    assert.equal(history.known.reasons, [{ code: 'placebo', text: 'shifted times did as well' }]);
    assert.equal(history.does(NOTHING()), ['EdgeChecked']);
    assert.is(history.known.status, 'rejected');
    assert.equal(history.does(PASSES()), ['EdgeFound', 'EdgeChecked', 'EdgeValidated']);
    assert.equal(past(history), ['candidate', 'rejected', 'rejected', 'validated']);
    assert.equal(
      history.known.history.map(({ at }) => at),
      [1, 2, 3, 4],
    );
  });

  test('a candidate that passes between two failures is none of the rejected', () => {
    const history = new History().all(FOUND(), PASSES());
    assert.is(history.known.status, 'validated');
  });

  test('weakens by half of its lift, or by q above alpha, and recovers', () => {
    for (const weak of [{ lift: 0.09 }, { qValue: 0.06 }, { qValue: null }, { lift: null }]) {
      const history = new History().all(PASSES());
      assert.equal(history.does(check(true, { lift: 0.1, qValue: 0.05 })), ['EdgeChecked']);
      assert.equal(history.does(check(false, weak)), ['EdgeChecked', 'EdgeWeakened']);
      assert.is(history.known.weakeningSince, 3);
      assert.equal(history.does(check(true, { lift: 0.12 })), ['EdgeChecked', 'EdgeValidated']);
      assert.is(history.known.weakeningSince, null);
      // It is held against the lift that it was validated with first
      assert.is(history.known.validatedLift, 0.2);
    }
  });

  test('is held to the alpha that it was validated with, or that it passed since', () => {
    const at = (alpha: number, qValue: number, isValid = false) =>
      check(isValid, { qValue }, undefined, alpha);
    const wide = new History().all(at(0.1, 0.07, true));
    assert.equal([wide.known.status, wide.known.alpha], ['validated', 0.1]);
    for (const alpha of [0.1, 0.05]) assert.equal(wide.does(at(alpha, 0.07)), ['EdgeChecked']);
    assert.equal(wide.does(at(0.1, 0.11)), ['EdgeChecked', 'EdgeWeakened']);
    assert.ok(wide.known.reason?.includes('above 0.1'));
    assert.equal(wide.does(at(0.05, 0.07)), ['EdgeChecked', 'EdgeValidated']);
    const narrow = new History().all(at(0.01, 0.005, true));
    assert.equal(narrow.does(at(0.05, 0.03)), ['EdgeChecked']);
    assert.is(narrow.known.alpha, 0.05, 'a wider search validates it as widely');
    const strict = new History().all(at(0.01, 0.005, true));
    assert.equal(strict.does(at(0.01, 0.03)), ['EdgeChecked', 'EdgeWeakened']);
    const again = new History().all(at(0.1, 0.07, true), block, unblock);
    assert.is(again.known.alpha, null);
  });

  test('is retired by three failed rechecks in a row, and rediscovered', () => {
    const fails = () => check(false, { lift: 0.01 });
    const history = new History().all(PASSES(), fails(), fails(), fails());
    assert.is(history.known.status, 'weakening');
    history.all(PASSES(), fails(), fails(), fails());
    assert.is(history.known.status, 'weakening');
    assert.equal(history.does(fails()), ['EdgeChecked', 'EdgeRetired']);
    assert.ok(history.known.reason?.includes('0.01'));
    assert.equal(history.does(NOTHING()), ['EdgeChecked']);
    assert.equal(history.does(PASSES()), ['EdgeFound', 'EdgeChecked', 'EdgeValidated']);
    assert.is(history.known.reason, null);
  });

  test('what acts keeps the response of the last check that could measure one; a candidate does not', () => {
    const unmeasured = { lift: null, qValue: null, direction: null, optimalLagS: null, halfLifeS: null };
    const acting = new History().all(PASSES(), check(false, unmeasured)).known;
    assert.equal(
      [acting.status, acting.measured?.halfLifeS, acting.measured?.lift],
      ['weakening', 7_200, null],
    );
    const candidate = new History().all(FOUND(), check(false, unmeasured)).known;
    assert.equal([candidate.status, candidate.measured?.halfLifeS], ['rejected', null]);
  });

  test('pinned it stays, blocked it is left alone, unblocked it is a candidate', () => {
    const history = new History().all(PASSES());
    assert.is(refused(history, unblock), 'invalid_state');
    assert.equal(history.does(pin), ['EdgePinned']);
    assert.equal(history.does(pin), []);
    for (let i = 0; i < 5; i++) assert.equal(history.does(NOTHING()), ['EdgeChecked']);
    assert.is(history.known.status, 'pinned');
    assert.equal(history.does(block), ['EdgeBlocked']);
    assert.equal(history.does(block), []);
    assert.equal(history.does(PASSES()), []);
    assert.is(history.known.status, 'blocked');
    assert.equal(history.does(unblock), ['EdgeUnblocked']);
    assert.is(history.known.status, 'candidate');
    assert.equal(history.does(PASSES()), ['EdgeChecked', 'EdgeValidated']);
  });

  test('of another series nothing holds but what a person said', () => {
    const acting = new History().all(PASSES());
    assert.equal(acting.does(outdate(acting)), ['EdgeOutdated', 'EdgeRetired']);
    assert.equal([acting.known.status, acting.known.measured], ['retired', null]);
    assert.equal(acting.does(outdate(acting)), []);
    const pinned = new History().all(PASSES(), pin);
    assert.equal(pinned.does(outdate(pinned)), ['EdgeOutdated']);
    assert.equal([pinned.known.status, pinned.known.measured], ['pinned', null]);
    assert.equal(new History().does(outdate(new History())), []);
  });

  test('of another series a candidate is rejected, not retired: it never acted', () => {
    const candidate = new History().all(FOUND());
    assert.is(candidate.known.status, 'candidate');
    assert.equal(candidate.does(outdate(candidate)), ['EdgeOutdated', 'EdgeRejected']);
    const { status, measured, reasons } = candidate.known;
    assert.equal([status, measured, reasons[0]?.code], ['rejected', null, 'other_series']);
    assert.equal(candidate.does(FOUND()), ['EdgeFound', 'EdgeChecked']);
  });
});
