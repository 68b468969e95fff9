import { readConfig } from '../config.js';
import type { Bootstrapped, BootstrapOptions } from './jobs/bootstrap.js';
import { columns, print } from './output.js';
import { render } from './run.js';
import { firstCalls } from './welcome.js';

/** Makes an organization, a workspace, a user and a token, and shows them. */
export async function bootstrap(options: BootstrapOptions, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  const result = (made: unknown) =>
    print(json ? asJson(made as Bootstrapped) : asText(options, made as Bootstrapped));
  await render({ name: 'bootstrap', options, config }, { result });
}

const asJson = ({ organizationId, workspaceId, uid, tokenId, token, base }: Bootstrapped): string =>
  `${JSON.stringify(
    {
      organization_id: organizationId,
      workspace_id: workspaceId,
      uid,
      token_id: tokenId,
      token,
      base_url: base,
    },
    null,
    2,
  )}\n`;

function asText({ organization, workspace, name, email }: BootstrapOptions, made: Bootstrapped): string {
  const lines = [
    ['Organization', made.organizationId, organization],
    ['Workspace', made.workspaceId, workspace],
    ['User', made.uid, `${name} <${email}>`],
    ['Token', made.tokenId, made.token],
  ];
  const table = lines.map(line => columns([12, 24, 0], line)).join('');
  return `${table}\nThe token is shown only now.\n\n${firstCalls(made.base, made)}`;
}
