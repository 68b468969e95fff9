import type { Installed } from '../commands/installation.js';

/**
 * What to paste into a shell, with the real token and workspace: the variables that the README's tour uses, a
 * call that records an event, and one that reads the stream list.
 */
export const firstCalls = (
  base: string,
  { token, workspaceId }: Pick<Installed, 'token' | 'workspaceId'>,
): string => {
  const headers = `  -H 'Authorization: Bearer ${token}' \\\n  -H 'X-Workspace-Id: ${workspaceId}'`;
  return [
    `export TOKEN=${token} WORKSPACE=${workspaceId}`,
    '',
    'Record an event:',
    '',
    `curl -sS -X POST ${base}/v1/event/record \\\n${headers} \\\n  -H 'Content-Type: application/json' \\\n`
      + `  -d '{"key": "news:oil", "text": "Refinery fire halts exports; prices surge to a record high"}'`,
    '',
    'Read the list of streams; an event is there at once, its scores a moment later (null until then):',
    '',
    `curl -sS ${base}/v1/event/streams \\\n${headers}`,
    '',
  ].join('\n');
};

/** Where to reach a server that listens on `host` and `port`, from the same machine. */
export function baseUrl(host: string, port: number): string {
  const reachable = fromHere[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Where a server that listens on all addresses is reached. */
const fromHere: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };
