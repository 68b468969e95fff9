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
