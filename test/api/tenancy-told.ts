import fc from 'fast-check';
import type { Platform } from '../../main.js';
import { START } from './tenancy-operations.js';

// What two tenants may do with what they are told: the feed, its marks, preferences, and channels that a
// real receiver verifies.

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const whose = fc.constantFrom('own', 'own', 'own', 'other');

export const ADD_CHANNEL = { do: 'addChannel', type: 'webhook' } as const;

export const told = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('feed' as const),
      path: one([
        ...['', '?per_page=2', '?per_page=2&page=2', '?unread=true', '?unread=true&per_page=1&page=2'],
        ...['?archived=true', '?kind=deployment.ready', '/unread-count', '/preferences', '/channels'],
      ]),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      verb: one(['read', 'unread', 'archive'] as const),
      whose,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('readAll' as const),
      body: one([{}, { before: new Date(START).toISOString() }]),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('prefer' as const),
      body: one([{}, { digest: 'daily' }, { defaults: { in_app: false } }]),
      /** Whose channel is named, too. */
      whose: fc.option(whose, { freq: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('addChannel' as const),
      type: one(['webhook', 'email'] as const),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('channel' as const),
      call: one([
        ...[['GET', ''] as const, ['GET', '/deliveries'] as const, ['DELETE', ''] as const],
        ...[['PATCH', '', { name: 'N' }] as const, ['PATCH', '', { enabled: false }] as const],
        ...[['PATCH', '', { enabled: true }] as const, ['POST', '/verify', {}] as const],
        ...[['POST', '/verify', { code: '123456' }] as const, ['POST', '/test'] as const],
        ...[['POST', '/deliveries/dlv_none/replay'] as const],
      ]),
      whose,
    }),
  },
);
export type Told = typeof told extends fc.Arbitrary<infer T> ? T : never;

type Ids = { readonly ntf: string; readonly chn: string };
const PATH = '/v1/notifications';

/** Method, path and body; `of`: ids of whoever is meant; `hook`: where a webhook is verified. */
export function toldCall(
  each: Told,
  of: (whose: string) => Ids,
  hook: string,
): readonly [method: string, path: string, body?: object | undefined] {
  switch (each.do) {
    case 'feed':
      return ['GET', PATH + each.path];
    case 'mark':
      return ['POST', `${PATH}/${of(each.whose).ntf}/${each.verb}`];
    case 'readAll':
      return ['POST', `${PATH}/read-all`, each.body];
    case 'prefer': {
      const kinds = each.whose !== null && { 'deployment.ready': { [of(each.whose).chn]: false } };
      return ['PUT', `${PATH}/preferences`, { ...each.body, ...(kinds && { kinds }) }];
    }
    case 'addChannel': {
      const target = each.type === 'webhook' ? hook : 'x@example.org';
      return ['POST', `${PATH}/channels`, { type: each.type, target }];
    }
    case 'channel': {
      const [method, path, body] = each.call;
      return [method, `${PATH}/channels/${of(each.whose).chn}${path}`, body];
    }
  }
}

/** Tells somebody of some things in their workspace, and of some in none. */
export async function tell(
  { areas, visible, stores }: Platform,
  uid: string,
  workspace: string,
  now: number,
) {
  const some = [workspace, null, workspace, workspace, null];
  for (const [nth, where] of some.entries()) {
    const kind = where === null ? 'token.expiring' : 'deployment.ready';
    async function* recipients() {
      yield [{ uid, workspace: where, preferences: null, channels: [], timezone: 'UTC' }];
    }
    const notice = {
      kind,
      goalId: null,
      data: { days: nth },
      groupKey: `g${nth}`,
      to: { uid, workspace: where },
    };
    const context = { workspace, actor: 'operator', request: null, correlation: 'c', causation: null };
    const at = now - some.length + nth;
    await areas.notifications.commands.tell(notice, { id: `c${nth}`, at, position: null }, recipients(), {
      ...context,
      at,
    });
  }
  await visible(await stores.events.head());
}
