import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import type { Answered } from './client.js';
import type { SignalsApi } from './signals-world.js';

export type Numbers = {
  accepted: number;
  revised: number;
  duplicates: number;
  rejected: number;
  errors: { index: number; field: string; code: string }[];
};

/** What tests push into a world that is there when they begin. */
export function pushing(given: () => SignalsApi) {
  let keys = 0;
  const fresh = (): string => `push.${keys++}`;
  const push = (body: unknown): Promise<Answered<Json>> => given().client.post('/v1/signal/push', body);
  const pushed = async (body: unknown): Promise<Numbers> => {
    const { status, body: answer, text } = await push(body);
    assert.is(status, 200, text);
    assert.is(answer.status, 'accepted');
    return answer.data;
  };
  const pointsOf = async (key: string) =>
    (await given().get(`/v1/signal/points?key=${key}&sort_order=asc`)).points;
  const numbers = ({ accepted, revised, duplicates, rejected }: Numbers) => ({
    accepted,
    revised,
    duplicates,
    rejected,
  });
  const refused = async (body: unknown, loc: (string | number)[], type = 'validation_error') => {
    const { status, body: answer, text } = await push(body);
    assert.is(status, 422, text);
    const faults = answer.detail as { loc: unknown; type: string }[];
    assert.ok(
      faults.some(each => JSON.stringify(each.loc) === JSON.stringify(loc) && each.type === type),
      text,
    );
  };

  return { fresh, push, pushed, pointsOf, numbers, refused };
}
