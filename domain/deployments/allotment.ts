/** A process that serves, with so many workers. */
export type Server = { readonly id: string; readonly threads: number };
/** How many workers of a process a deployment may use. */
export type Share<S extends Server> = { readonly server: S; readonly workers: number };

/**
 * Which processes a deployment uses, and how many workers of each, `max` in all: always the same ones while
 * these are there, others for other deployments, so that load spreads and models stay loaded where they are
 * (rendezvous hashing, Thaler and Ravishankar 1998). Behind those stand the rest of the processes, in the
 * order they would take their place in, with as many workers as may be.
 */
export function allotment<S extends Server>(id: string, servers: readonly S[], max: number): Share<S>[] {
  const ranked = servers
    .map(server => ({ server, weight: hashOf(`${id} ${server.id}`) }))
    .sort((a, b) => b.weight - a.weight || (a.server.id < b.server.id ? -1 : 1));
  let left = max;
  return ranked.map(({ server }) => {
    const workers = Math.min(server.threads, left);
    left -= workers;
    return { server, workers };
  });
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, its bits mixed once more so that near texts lie far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
