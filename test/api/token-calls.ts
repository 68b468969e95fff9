import * as assert from 'uvu/assert';
import type { AccountWorld } from './account-world.js';
import type { Answered, Client } from './client.js';

export type Made = {
  token_id: string;
  token?: string;
  scopes: string[];
  status: string;
  expires_at: string | null;
  [member: string]: unknown;
};
export const refused = ({ status, body }: Answered, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);
export const path = '/v1/user/api-tokens';

/** What tests do with tokens of a world that is there when they begin. */
export function tokenCalls(given: () => AccountWorld) {
  const make = async (
    body: object = { name: 'n' },
    by: Client = given().client,
  ): Promise<Made & { token: string }> => {
    const {
      status,
      body: { data },
    } = await by.post<{ data: Made & { token: string } }>(path, body);
    assert.is(status, 200);
    return data;
  };
  const list = async (query = '') =>
    (await given().client.get<{ data: { tokens: Made[]; total: number } }>(`${path}?per_page=100${query}`))
      .body.data;
  const find = async (id: string) => (await list()).tokens.find(({ token_id }) => token_id === id);
  const works = async (token: string) => (await given().as(token).get('/v1/user/me')).status === 200;

  return { make, list, find, works };
}
