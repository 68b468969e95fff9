import type { Installed } from '../../commands/installation.js';
import { Rejected } from '../../domain/rejected.js';
import type { Platform } from '../../main.js';
import { result, type Job } from './job.js';
import { operatorContext } from './operation.js';

export type BootstrapOptions = {
  readonly organization: string;
  readonly workspace: string;
  readonly email: string;
  readonly name: string;
  readonly terms: readonly string[];
};
export type Bootstrapped = Installed & { readonly base: string };

export const defaults: BootstrapOptions = {
  organization: 'First organization',
  workspace: 'First workspace',
  email: 'operator@example.org',
  name: 'Operator',
  terms: [],
};

/**
 * Makes an organization, a workspace, a user and a token; waits, a bounded time, until the token can be used.
 */
export async function bootstrapPlatform(
  platform: Platform,
  { terms, ...wanted }: BootstrapOptions,
): Promise<Installed> {
  const installed = await platform.areas.identity
    .install({ ...wanted, domainTerms: terms, cell: platform.config.CELL }, operatorContext(platform))
    .catch((error: unknown) => {
      if (!(error instanceof Rejected) || error.code !== 'email_taken') throw error;
      const hint = 'name another (--email), or give them a token (presage token create --uid)';
      throw new Rejected(error.kind, error.code, `${error.message}; ${hint}`);
    });
  await platform.visible(installed.position);
  return installed;
}

export const bootstrapJob: Job<BootstrapOptions> = async function* ({ platform, base }, options) {
  const installed = await bootstrapPlatform(platform, options);
  const bootstrapped: Bootstrapped = { ...installed, base };
  yield result(bootstrapped);
};
