import * as assert from 'uvu/assert';
import { callerOf, placeOf, requestIdFor, spanIdOf, traceIdOf } from '../../adapters/traces/ids.js';
import { suite } from '../suite.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

suite('ids of traces', test => {
  test('the trace of a correlation is the UUID in it', () => {
    assert.is(traceIdOf(`req_${TRACE}`), TRACE);
    assert.is(traceIdOf(`req_${TRACE}${CALLER}`), TRACE);
    assert.is(traceIdOf('0af76519-16cd-43dd-8448-eb211c80319c'), TRACE);
  });
  test('of any other text it is a hash, always the same', () => {
    for (const text of ['mine', `req_${'0'.repeat(32)}`, `req_${TRACE}00`, TRACE.toUpperCase()]) {
      assert.match(traceIdOf(text), /^(?!0{32})[0-9a-f]{32}$/);
      assert.is(traceIdOf(text), traceIdOf(text));
    }
    assert.is.not(traceIdOf('mine'), traceIdOf('yours'));
  });
  test('the span of a fact is the second half of its id', () =>
    assert.is(spanIdOf('0af76519-16cd-43dd-8448-eb211c80319c'), '8448eb211c80319c'));
  test('a caller that keeps its trace makes the request id, and is found in it', () => {
    const id = requestIdFor(`00-${TRACE}-${CALLER}-01`);
    assert.is(id, `req_${TRACE}${CALLER}`);
    assert.equal([traceIdOf(id!), callerOf(id!)], [TRACE, CALLER]);
    assert.is(callerOf(`req_${TRACE}`), null);
  });
  test('one that does not keep it makes none', () =>
    assert.is(requestIdFor(`00-${TRACE}-${CALLER}-00`), null));
  test('later versions of the header may say more', () =>
    assert.equal(placeOf(`cc-${TRACE}-${CALLER}-01-what-ever`), {
      traceId: TRACE,
      spanId: CALLER,
      sampled: true,
    }));
  for (const wrong of [
    undefined,
    '',
    `ff-${TRACE}-${CALLER}-01`,
    `00-${'0'.repeat(32)}-${CALLER}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${CALLER}-01`,
    `00-${TRACE}-${CALLER}-0`,
    `00-${TRACE}-${CALLER}`,
    `00-${TRACE}-${CALLER}-011`,
  ])
    test(`${wrong} is no place`, () => assert.is(placeOf(wrong), null));
});
