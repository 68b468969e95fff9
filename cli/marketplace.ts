import { readConfig } from '../config.js';
import type { Listed, Lists, MarketDeed } from './jobs/marketplace.js';
import { columns, print } from './output.js';
import { needData, render } from './run.js';

/** Does something on the marketplace and shows what came of it: a line each, or JSON. */
export async function marketplace(options: MarketDeed, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  const asText = options.what === 'list' ? listsText : linesOf;
  const result = (done: unknown) =>
    print(json ? `${JSON.stringify(done, null, 2)}\n` : asText(done as never));
  await render({ name: 'marketplace', options, config }, { result });
}

const linesOf = (done: object): string =>
  Object.entries(done)
    .map(([name, value]) => columns([18, 0], [name, Array.isArray(value) ? value.join(', ') : String(value)]))
    .join('');

const WIDTHS = [20, 10, 22, 8, 8];

function listsText({ listings, subscriptions }: Lists): string {
  const offered = listings.map(({ listing_id, state, workspace, keys, streams, title }: Listed) =>
    columns(WIDTHS, [listing_id, state, workspace, String(keys.length), String(streams.length), title]),
  );
  const read = subscriptions.map(
    ({ listing_id, started_at, title, aliases }) =>
      columns([20, 24], [listing_id, started_at, title])
      + aliases.map(alias => columns([18, 0], ['', alias])).join(''),
  );
  return (
    columns(WIDTHS, ['LISTING', 'STATE', 'WORKSPACE', 'SIGNALS', 'STREAMS', 'TITLE'])
    + offered.join('')
    + (read.length === 0 ? '' : `\n${columns([20, 24], ['SUBSCRIPTION', 'SINCE', 'TITLE'])}${read.join('')}`)
  );
}
