import type { Installed } from '../../commands/installation.js';
import type { Message } from '../../domain/fact.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Starting } from '../platform.js';
import { clientOf, type Answered, type Client } from './client.js';

export type Item = {
  readonly notification_id: string;
  readonly kind: string;
  readonly title: string;
  readonly severity: string;
  readonly data: Record<string, unknown>;
  readonly workspace_id: string | null;
  readonly created_at: string;
  readonly last_at: string;
  readonly read_at: string | null;
  readonly archived_at: string | null;
  readonly group_key: string;
  readonly count: number;
};
export type FeedBody = {
  readonly notifications: Item[];
  readonly unread_count: number;
  readonly total: number;
};
/** `now`: epoch ms, where not at noon of a day in May. */
export type Beginning = Starting & { readonly now?: number };
export type NotificationsApi = Awaited<ReturnType<typeof notificationsApi>>;

/** A platform that notifies, with the owner of a workspace and somebody of another one. */
export async function notificationsApi({ now = Date.UTC(2026, 4, 4, 12), ...starting }: Beginning = {}) {
  const folder = temporaryFolder();
  const clock = { now };
  const api = await startPlatform(folder.path, {
    running: ['api', 'projections', 'workers'],
    clock: () => clock.now,
    ...starting,
  });
  const { platform, installed } = api;
  const people = peopleOf(platform);
  const description = (await api.call('GET', '/openapi/v1.json')).json;
  const clientFor = ({ token, workspaceId }: Pick<Installed, 'token' | 'workspaceId'>): Client =>
    clientOf(api.base, description, { token, workspace: workspaceId });
  const other = await people.tenant('other@example.org');
  const ann = clientFor(installed);
  const bob = clientFor(other);
  const feed = async (query = '', who = ann): Promise<FeedBody> =>
    data(await who.get(`/v1/notifications${query}`));
  return {
    ...{
      api,
      platform,
      people,
      clock,
      clientFor,
      other,
      ann,
      bob,
      feed,
      folder,
      workspace: installed.workspaceId,
    },
    /** A deployment of a workspace is degraded: what its operators are told of. */
    async degrade(promotionId: string, workspace = installed.workspaceId): Promise<void> {
      const fact = { type: 'DeploymentDegraded', data: { promotionId, message: 'too many errors' } };
      await appended(platform, `deployment-${workspace}.${promotionId}`, workspace, clock.now, fact);
    },
    /** The feed once it has so many. */
    told: (total: number, query = '', who = ann): Promise<FeedBody> =>
      until(async () => {
        const found = await feed(query, who);
        return found.total === total && found;
      }, `a feed of ${total}`),
    async close(): Promise<void> {
      ann.close();
      bob.close();
      await api.stop();
      folder.remove();
    },
  };
}

type Appending = Awaited<ReturnType<typeof startPlatform>>['platform'];

/** Puts a fact into the log as its area does. */
export async function appended(
  { stores, newId }: Appending,
  journal: string,
  workspace: string | null,
  at: number,
  fact: Message,
): Promise<number> {
  const revision = (await stores.events.read(journal)).length - 1;
  const meta = { workspace, actor: 'operator', request: null, correlation: 'c', causation: null };
  const { position } = await stores.events.append(journal, revision, [{ ...fact, id: newId(), at, meta }]);
  return position;
}

export function data<T>({ status, body, text }: Answered<Json>): T {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body.data;
}

/** Tells one member of a workspace of something, without a reactor; answers what it is called. */
export async function toldBy(
  { areas, newId, clock, visible, stores }: Appending,
  uid: string,
  workspace: string,
): Promise<string> {
  const { commands, queries } = areas.notifications;
  const promotion = newId();
  const notice = {
    ...{ kind: 'deployment.ready', goalId: null, groupKey: `deployment.ready/${promotion}` },
    ...{ to: { uid, workspace }, data: { promotion_id: promotion } },
  };
  async function* recipients() {
    yield [{ uid, workspace, preferences: null, channels: [], timezone: 'UTC' }];
  }
  const context = { actor: 'operator', request: null, correlation: 'c', causation: null, at: clock() };
  const cause = { id: promotion, at: clock(), position: null };
  await commands.tell(notice, cause, recipients(), { ...context, workspace });
  await visible(await stores.events.head());
  const filter = { unread: false, archived: false };
  const { items } = await queries.feed({ uid, workspace, isLimited: false }, filter, {
    limit: 100,
    offset: 0,
  });
  return items.find(({ data: told }) => told['promotion_id'] === promotion)!._id;
}
