import { randomUUID } from 'node:crypto';
import { askOperator, connectOperator } from '../../cli/ask.js';
import { defaults, type Bootstrapped } from '../../cli/jobs/bootstrap.js';
import type { JobName } from '../../cli/jobs/all.js';
import type { Output } from '../../cli/jobs/job.js';
import { versionOf } from '../../cli/version.js';
import type { Account } from './presage.js';

/** What a running platform says to an operator's command, without a process for it. */
export async function operate(dataDir: string, job: JobName, options: object): Promise<Output[]> {
  const socket = await connectOperator(dataDir);
  if (!socket) throw new Error(`no platform runs on ${dataDir}`);
  const outputs: Output[] = [];
  const asked = { version: versionOf().service, job, options };
  for await (const output of askOperator(socket, asked, new AbortController().signal)) outputs.push(output);
  return outputs;
}

/** A new user with a workspace and a token of its own. */
export async function newAccount(
  dataDir: string,
  email = `user${randomUUID()}@example.org`,
): Promise<Account> {
  const made = (await operate(dataDir, 'bootstrap', { ...defaults, email })).find(
    output => output.kind === 'result',
  );
  if (!made) throw new Error('nobody was made');
  const { token, workspaceId } = made.result as Bootstrapped;
  return { token, workspace: workspaceId };
}
