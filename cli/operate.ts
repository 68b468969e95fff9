import { readConfig } from '../config.js';
import type { Deed } from './jobs/operate.js';
import { columns, print } from './output.js';
import { render } from './run.js';

/** Does something to accounts or tenancy and shows what came of it: a line each, or JSON. */
export async function operate(options: Deed, json: boolean): Promise<void> {
  const result = (done: unknown) =>
    print(json ? `${JSON.stringify(done, null, 2)}\n` : asText(done as object));
  await render({ name: 'operate', options, config: readConfig(process.env) }, { result });
}

function asText(done: object): string {
  const lines = Object.entries(done)
    .map(([name, value]) => columns([18, 0], [name, String(value)]))
    .join('');
  return 'token' in done ? `${lines}\nThe token is shown only now.\n` : lines;
}
