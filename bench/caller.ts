import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from './common.js';
import type { Folder } from './data.js';

// How benchmarks of the whole platform call it, outside of what they measure.

/** Calls the API; answers `data`. Throws what was refused. */
export type Api = <Said>(method: string, path: string, body?: object) => Promise<Said>;

export const headersOf = ({ token, workspaceId }: Folder) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

export const apiOf =
  ({ port }: Server, folder: Folder): Api =>
  async <Said>(method: string, path: string, body?: object) => {
    const init = { method, headers: headersOf(folder), ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const json = (await answer.json()) as { readonly data: Said };
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json.data;
  };

/** Settings of a plan without caps, and with credits enough for all that is asked. */
export function rich(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'plans.json');
  const plan = { id: 'bench', name: 'Bench', credits: '1000000000', limits: {} };
  writeFileSync(file, JSON.stringify({ version: 'bench', plans: [plan] }));
  return { PLANS_FILE: file, DEFAULT_PLAN: 'bench' };
}

export async function until(look: () => Promise<boolean>, everyMs = 100): Promise<void> {
  while (!(await look())) await new Promise(resolve => setTimeout(resolve, everyMs));
}
