import { readConfig } from '../config.js';
import type { MarketplaceOptions, ShownMarket } from './jobs/marketplace.js';
import { columns, print } from './output.js';
import { needData } from './place.js';
import { render } from './run.js';

/** Does something on the marketplace and shows what came of it: a line each, or JSON. */
export async function marketplace(options: MarketplaceOptions, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  const asText = options.what === 'list' ? marketText : linesOf;
  const result = (shown: unknown) =>
    print(json ? `${JSON.stringify(shown, null, 2)}\n` : asText(shown as never));
  await render({ name: 'marketplace', options, config }, { result });
}

const linesOf = (shown: object): string =>
  Object.entries(shown)
    .map(([name, value]) => columns([18, 0], [name, Array.isArray(value) ? value.join(', ') : String(value)]))
    .join('');

const LISTINGS = [20, 10, 22, 8, 8];
const SUBSCRIPTIONS = [20, 24];

function marketText({ listings, subscriptions }: ShownMarket): string {
  const table = listings.map(({ listing_id, state, workspace, keys, streams, title }) =>
    columns(LISTINGS, [listing_id, state, workspace, String(keys.length), String(streams.length), title]),
  );
  const head = columns(LISTINGS, ['LISTING', 'STATE', 'WORKSPACE', 'SIGNALS', 'STREAMS', 'TITLE']);
  const text = `${head}${table.join('')}`;
  return subscriptions.length === 0 ? text : `${text}\n${subscriptionsText(subscriptions)}`;
}

function subscriptionsText(subscriptions: ShownMarket['subscriptions']): string {
  const table = subscriptions.map(({ listing_id, started_at, title, aliases }) => {
    const below = aliases.map(alias => columns([18, 0], ['', alias]));
    return columns(SUBSCRIPTIONS, [listing_id, started_at, title]) + below.join('');
  });
  return columns(SUBSCRIPTIONS, ['SUBSCRIPTION', 'SINCE', 'TITLE']) + table.join('');
}
