import { readConfig } from '../config.js';
import type { OperateOptions } from './jobs/operate.js';
import { columns, print } from './output.js';
import { render } from './run.js';

/** Does something to accounts or tenancy and shows what came of it: a line each, or JSON. */
export async function operate(options: OperateOptions, json: boolean): Promise<void> {
  const result = (shown: unknown) =>
    print(json ? `${JSON.stringify(shown, null, 2)}\n` : asText(shown as object));
  await render({ name: 'operate', options, config: readConfig(process.env) }, { result });
}

function asText(shown: object): string {
  const lines = Object.entries(shown)
    .map(([name, value]) => columns([18, 0], [name, String(value)]))
    .join('');
  return 'token' in shown ? `${lines}\nThe token is shown only now.\n` : lines;
}
