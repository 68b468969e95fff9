import type { Fact } from '../domain/fact.js';
import { follow, type Running } from '../workers/engine/follow.js';
import type { Kernel } from './kernel.js';

/** Facts of a page. */
const PAGE = 500;

/**
 * Follows the log in a process that serves the API, from a position on. A page that failed is taken again:
 * what it tells comes last of all.
 */
export function following(
  { stores, log }: Kernel,
  name: string,
  head: number,
  took: (page: readonly Fact[]) => Promise<void>,
): Running {
  let at = head;
  return follow({
    name,
    store: stores.events,
    from: async () => at,
    async work(page) {
      await took(page);
      at = page.at(-1)!.position;
      return at;
    },
    room: () => PAGE,
    log,
  });
}
