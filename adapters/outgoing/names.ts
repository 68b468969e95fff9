import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses that a name means now. @throws where it means none, or nobody answers */
export type Resolve = (name: string) => Promise<readonly string[]>;

const PATIENCE = { timeout: 2_000, tries: 2 };
const ABSENT = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks DNS itself. The system's own look-up would wait in one of the few threads that files are read in, and
 * whoever chooses the name chooses how long it takes.
 */
export function systemResolve(): Resolve {
  const resolver = new Resolver(PATIENCE);
  const ask = async (answers: Promise<string[]>): Promise<string[]> => {
    try {
      return await answers;
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
  return async name => {
    const both = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    const found = both.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = both.find(answer => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason as Error;
    return found;
  };
}

/**
 * The addresses behind the host of a URL: itself where it is one. As RFC 6761 has it, `localhost` is always
 * this machine, and nothing under `invalid` is anywhere.
 */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return [bare];
  if (/(^|\.)localhost\.?$/i.test(bare)) return ['127.0.0.1', '::1'];
  if (/(^|\.)invalid\.?$/i.test(bare)) return [];
  return resolve(bare);
}
