import type { Service } from '../threads/serve.js';
import { readModelFile } from './files.js';
import type { Portion, PortionDone } from './portion.js';
import { openSession, type Outputs, type Session } from './session.js';

/** The models of a folder, each opened when it is first asked for, and kept. */
export const openService = (dir: string): Service<Portion, PortionDone> => {
  const sessions = new Map<string, Session>();
  const sessionOf = async (slug: string, sha256: string): Promise<Session> => {
    const session = sessions.get(slug) ?? (await openSession(readModelFile(dir, slug, sha256)));
    sessions.set(slug, session);
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
      await Promise.all([...sessions.values()].map(session => session.close()));
    },
  };
};
