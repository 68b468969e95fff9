import type { Service } from '../threads/serve.js';
import { readModelFile } from './files.js';
import type { Portion, PortionDone } from './portion.js';
import { openSession, type Outputs, type Session } from './session.js';

/** So many models are kept open; that which was asked for longest ago is closed for another. */
const KEPT_OPEN = 64;

type Kept = { readonly session: Session; readonly bytes: number };

/**
 * The models of a folder, each opened when it is first asked for, and kept as long as the files of all that
 * are open have no more than `keptBytes` together; one is open whatever it has.
 */
export const openService = (dir: string, keptBytes = Infinity): Service<Portion, PortionDone> => {
  const sessions = new Map<string, Kept>();
  /** Before there is another one of so many bytes; those that were asked for longest ago go first. */
  const makeRoom = async (bytes: number): Promise<void> => {
    for (const [slug, { session }] of sessions) {
      const open = [...sessions.values()].reduce((sum, kept) => sum + kept.bytes, 0);
      if (sessions.size < KEPT_OPEN && open + bytes <= keptBytes) return;
      sessions.delete(slug);
      await session.close();
    }
  };
  const sessionOf = async (slug: string, sha256: string): Promise<Session> => {
    const known = sessions.get(slug);
    if (known) {
      sessions.delete(slug);
      sessions.set(slug, known);
      return known.session;
    }
    const file = readModelFile(dir, slug, sha256);
    const bytes = file.bytes.length;
    await makeRoom(bytes);
    const session = await openSession({ ...file, folder: dir });
    sessions.set(slug, { session, bytes });
    return session;
  };
  return {
    async run({ slug, sha256, series, horizon, stopped }) {
      const session = await sessionOf(slug, sha256);
      const done: Outputs[] = [];
      for (const one of series) {
        if (Atomics.load(stopped, 0) !== 0) break;
        done.push(await session.run(one, horizon));
      }
      return done;
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ session }) => session.close()));
    },
  };
};
