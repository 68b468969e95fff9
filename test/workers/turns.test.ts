import * as assert from 'uvu/assert';
import { Turns } from '../../workers/turns.js';
import { suite } from '../suite.js';

const at = (position: number) => ({ journal: `j${position}`, revision: 0, position });
const positions = (taken: readonly { readonly position: number }[]) => taken.map(({ position }) => position);

suite('turns', test => {
  test('one of each workspace after the other, also over several rounds', () => {
    const turns = new Turns(10);
    for (const position of [0, 1, 2, 3]) turns.add('big', at(position));
    for (const position of [4, 5]) turns.add('small', at(position));
    assert.equal(positions(turns.take(3)), [0, 4, 1]);
    turns.add('late', at(6));
    assert.equal(positions(turns.take(10)), [5, 2, 6, 3]);
    assert.equal(turns.take(1), []);
  });

  test('lines are bound, and what was passed is forgotten', () => {
    const turns = new Turns(3);
    for (const position of [0, 1, 2, 3, 4]) turns.add('big', at(position));
    turns.add('small', at(5));
    turns.passed(1);
    assert.equal(positions(turns.take(10)), [2, 5]);
    turns.add('big', at(6));
    turns.passed(6);
    assert.equal(turns.take(10), []);
  });
});
