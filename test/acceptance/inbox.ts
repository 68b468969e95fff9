import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { expected, tokenOf, type World } from './world.js';

// What the stories about notifications share: reading the feed, and a person to whom something happens.

export const feedOf = async (api: Client, query = ''): Promise<Json> =>
  expected(await api.get<Json>(`/v1/notifications${query}`)).data;

/** Waits for an item of a kind. */
export const item = (api: Client, kind: string, fits = (_: Json): boolean => true): Promise<Json> =>
  until(async () => (await feedOf(api, `?kind=${kind}`)).notifications.find(fits), `a notification ${kind}`);

export type Person = {
  /** Calls as this person; of the platform that runs now. */
  readonly api: Client;
  readonly uid: string;
  readonly token: string;
  /** Gives them another role, which is a notification to them; answers it, marked as read. */
  turn(role: string): Promise<Json>;
};

/** A viewer of the workspace. */
export async function person(world: World): Promise<Person> {
  const joined = await world.member('viewer');
  const { uid } = expected(await joined.get<Json>('/v1/user/me')).data;
  const { token } = await tokenOf(joined);
  const workspace = world.running.installed.workspaceId;
  let [base, api] = [world.running.base, world.api.as({ token, workspace })];
  const client = () => {
    if (base !== world.running.base) {
      api.close();
      [base, api] = [world.running.base, world.api.as({ token, workspace })];
    }
    return api;
  };
  return {
    get api() {
      return client();
    },
    uid,
    token,
    async turn(role) {
      expected(await world.api.patch<Json>(`/v1/workspace/${workspace}/members/${uid}`, { role }));
      const found = await item(
        client(),
        'workspace.role_changed',
        each => each.data.role === role && each.read_at === null,
      );
      expected(await client().post<Json>(`/v1/notifications/${found.notification_id}/read`));
      return found;
    },
  };
}
