import { readConfig } from '../config.js';
import type { BillingOptions } from './jobs/billing.js';
import { columns, print } from './output.js';
import { needData } from './place.js';
import { render } from './run.js';

/** Does something with an organization's credits or plan, and shows what it has then. */
export async function billing(options: BillingOptions, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  const result = (shown: unknown) =>
    print(json ? `${JSON.stringify(shown, null, 2)}\n` : linesOf(shown as object));
  await render({ name: 'billing', options, config }, { result });
}

const linesOf = (shown: object): string =>
  Object.entries(shown)
    .map(([name, value]) => columns([18, 0], [name, String(value)]))
    .join('');
