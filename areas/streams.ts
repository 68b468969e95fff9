import { Listeners } from '../api/notifications/listeners.js';
import type { Admit } from '../api/edge/auth.js';
import type { Door } from '../api/edge/door.js';
import type { Fact } from '../domain/fact.js';
import { identityProjection } from '../projections/identity/projection.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { following } from './following.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';

/** The streams of notifications that are read in this process: each that serves the API has its own. */
export function streamsOf(kernel: Kernel, { directory }: Pick<IdentityArea, 'directory'>) {
  const { stores, visibleIn } = kernel;
  const listeners = new Listeners();
  const identified = visibleIn(identityProjection);
  const shown = visibleIn(notificationsProjection);
  let door: Pick<Door, 'admit'> | null = null;

  const rights = async (page: readonly Fact[]): Promise<void> => {
    if (!listeners.isAboutRights(page)) return;
    await identified(page.at(-1)!.position);
    // Where another process projects, this one remembers what was
    directory.forget(page);
    listeners.rightsChanged();
  };
  const told = async (page: readonly Fact[]): Promise<void> => {
    const those = listeners.toldIn(page);
    if (those.length === 0) return;
    await shown(page.at(-1)!.position);
    for (const listener of those) listener.wake();
  };
  const took = async (page: readonly Fact[]): Promise<void> => {
    if (listeners.count > 0) await Promise.all([rights(page), told(page)]);
  };
  return {
    listeners,
    /** Nobody is let in before the door stands. */
    admit: ((...asked) => door!.admit(...asked)) as Admit,
    /** Opens them with the API; when it is closed, all end. */
    async open(opened: Pick<Door, 'admit'>): Promise<{ readonly close: () => Promise<void> }> {
      door = opened;
      const follower = following(kernel, 'notification streams', await stores.events.head(), took);
      return {
        async close() {
          listeners.end();
          await follower.stop();
        },
      };
    },
  };
}
