import { install, type Installed } from '../../commands/installation.js';
import type { Platform } from '../../main.js';
import { result, type Job } from './job.js';

export type BootstrapOptions = {
  readonly organization: string; readonly workspace: string; readonly email: string; readonly name: string;
  readonly terms: readonly string[];
};
export type Bootstrapped = Installed & { readonly base: string };

export const defaults: BootstrapOptions = {
  organization: 'First organization', workspace: 'First workspace', email: 'operator@example.org', name: 'Operator', terms: [],
};

/** Makes an organization, a workspace, a user and a token; waits, a bounded time, until the token can be used. */
export async function bootstrapPlatform(platform: Platform, { terms, ...wanted }: BootstrapOptions): Promise<Installed> {
  const { handle, config, newId, clock } = platform;
  const context = { workspace: null, actor: 'operator', request: null, correlation: newId(), causation: null, at: clock() };
  const installed = await install(handle, { ...wanted, domainTerms: terms, cell: config.CELL }, context);
  await platform.visible(installed.position);
  return installed;
}

export const bootstrapJob: Job<BootstrapOptions> = async function* ({ platform, base }, options) {
  const made: Bootstrapped = { ...await bootstrapPlatform(platform, options), base };
  yield result(made);
};
