import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { mindAccept } from '../../api/edge/accept.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';
import { inWorld } from './world.js';

const isTaken = (accept: string | undefined, ...media: string[]): boolean => {
  try {
    mindAccept(accept, media);
    return true;
  } catch (error) {
    assert.ok(error instanceof Rejected && error.kind === 'not_acceptable', String(error));
    return false;
  }
};

suite('the header Accept', test => {
  test('takes JSON in all that usual clients send', () => {
    for (const accept of [
      undefined,
      '',
      '*/*',
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/*',
      'application/json, text/plain, */*',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'text/html, */*',
      'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
      'application/problem+json',
      'text/html, application/json;q=0.001',
      'json',
      ';;;,',
    ])
      assert.ok(isTaken(accept), String(accept));
  });

  test('refuses where neither JSON nor what there is beside it is in it', () => {
    for (const accept of [
      'text/html',
      'text/csv',
      'text/*, image/png',
      'application/xml',
      'application/json;q=0',
      'application/json; q=0.000, text/html',
      '*/*;q=0',
      'application/json;q=0, */*',
      'application/*;q=0, */*',
    ])
      assert.not(isTaken(accept), accept);
    assert.ok(isTaken('text/csv', 'text/csv'));
    assert.ok(isTaken('text/*;q=0.1', 'text/csv'));
    assert.ok(isTaken('application/json;q=0, */*', 'text/csv'), 'what is named exactly decides');
    assert.not(isTaken('text/csv;q=0, text/*', 'text/csv'));
  });

  test('whatever it holds, it is taken or refused', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'a/*;q=0.1,+"json \t')), letters => {
        isTaken(letters.join(''));
      }),
    );
  });

  test('is 406 with what there is, before the body is looked at; deliveries and probes mind none', async () =>
    inWorld({}, async ({ api, toys }) => {
      const accept = 'text/html';
      const refused = await api.post('/v1/toys', '{', { accept });
      assert.equal([refused.status, refused.body.error.code], [406, 'not_acceptable']);
      assert.equal(refused.body.error.details['available'], ['application/json']);
      assert.is(toys.made, 0);
      assert.is((await api.post('/v1/toys', { key: 'a', text: 'b' }, { accept: '*/*' })).status, 200);
      assert.is((await api.post('/v1/deliveries/s', '{}', { accept })).status, 200);
      assert.is((await api.get('/health', { accept })).status, 200);
    }));
});
