import { readFileSync, statSync } from 'node:fs';
import type { Version } from '../api/edge/platform.js';

/** Holds for files under `dist/cli` as for sources under `cli`. */
const root = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url);
const text = (path: string): string | null => {
  try {
    return readFileSync(new URL(path, root), 'utf8').trim();
  } catch {
    return null;
  }
};

/** The package's version, the commit where this is a checkout of one, and when it was built. */
export function versionOf(): Version {
  const { name, version } = JSON.parse(text('package.json')!) as { name: string; version: string };
  return {
    service: `${name} ${version}`,
    commit: commit() ?? 'unknown',
    builtAt: statSync(new URL(import.meta.url)).mtimeMs,
  };
}

function commit(): string | null {
  const head = text('.git/HEAD');
  const branch = head?.startsWith('ref: ') ? head.slice(5) : null;
  if (head === null || branch === null) return head;
  const packed = () =>
    text('.git/packed-refs')
      ?.split('\n')
      .find(line => line.endsWith(` ${branch}`))
      ?.slice(0, 40);
  return text(`.git/${branch}`) ?? packed() ?? null;
}
