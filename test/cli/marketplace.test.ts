import * as assert from 'uvu/assert';
import type { MarketplaceOptions } from '../../cli/jobs/marketplace.js';
import { suite } from '../suite.js';
import { operate } from './operate.js';
import {
  account,
  accountOf,
  dataFolder,
  endAll,
  presage,
  record,
  serve,
  type Account,
  type Listening,
} from './presage.js';
import type { Json } from '../json.js';

suite('the marketplace on the command line', test => {
  const DATA_DIR = dataFolder();
  let running: Listening;
  let shop: Account;
  let reader: Account;
  let listing: string;
  test.before(async () => {
    running = await serve({ DATA_DIR });
    shop = await accountOf(running);
    reader = account((await presage(['bootstrap', '--email', 'reader@example.org'], { DATA_DIR })).stdout);
    await record(running.base, shop, { key: 'outages', text: 'Power is out' });
    const headers = {
      authorization: `Bearer ${shop.token}`,
      'x-workspace-id': shop.workspace,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      points: [
        { key: 'shop.orders', value: 3 },
        { key: 'shop.returns', value: 1 },
      ],
    });
    assert.is((await fetch(`${running.base}/v1/signal/push`, { method: 'POST', headers, body })).status, 200);
  });
  test.after(async () => {
    await running.stop();
    endAll();
  });

  const market = (...args: string[]) => presage(['marketplace', ...args], { DATA_DIR });
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await market(...args, '--json');
    assert.is(code, 0, stderr);
    return JSON.parse(stdout);
  };
  /** As `done`, by the socket alone: a process for each would take its time. */
  const asked = async (options: MarketplaceOptions): Promise<Json> => {
    const [output] = await operate(DATA_DIR, 'marketplace', options);
    assert.is(output!.kind, 'result', JSON.stringify(output));
    return (output as { result: unknown }).result;
  };
  const refused = async (message: RegExp, options: MarketplaceOptions) => {
    const [output] = await operate(DATA_DIR, 'marketplace', options);
    assert.ok(
      output?.kind === 'error' && output.code === 2 && message.test(output.message),
      JSON.stringify(output),
    );
  };

  test('a listing is drafted, published, subscribed to', async () => {
    const offer = [
      '--workspace',
      shop.workspace,
      '--title',
      'Shop figures',
      '--keys',
      'shop.orders,shop.returns',
      '--streams',
      'outages',
    ];
    const { listing_id, state } = await done('draft', ...offer);
    assert.is(state, 'draft');
    listing = listing_id;
    await refused(/^Listing not found$/, { what: 'subscribe', listing, workspace: reader.workspace });
    assert.equal((await asked({ what: 'list', workspace: null })).listings, []);
    assert.equal(await done('publish', listing), { listing_id, state: 'published' });
    assert.equal(
      (await done('list')).listings.map(({ title }: { title: string }) => title),
      ['Shop figures'],
    );
    assert.equal(await done('subscribe', listing, '--workspace', reader.workspace), {
      listing_id,
      workspace: reader.workspace,
      subscribed: true,
      aliases: [`mkt:${listing}:shop.orders`, `mkt:${listing}:shop.returns`, `mkt-evt:${listing}:outages`],
    });
    const { changed_at, ...shown } = await done('show', listing);
    assert.match(changed_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(shown, {
      listing_id,
      workspace: shop.workspace,
      title: 'Shop figures',
      state: 'published',
      keys: ['shop.orders', 'shop.returns'],
      streams: ['outages'],
      subscribers: 1,
    });
  });

  test('the same answers with the platform running and stopped, and twice is as good as once', async () => {
    const answers = async () =>
      Promise.all(
        [
          market('list', '--workspace', reader.workspace),
          market('list', '--workspace', shop.workspace),
          market('publish', listing),
          market('subscribe', listing, '--workspace', reader.workspace),
        ].map(async ended => {
          const { code, stdout, stderr } = await ended;
          assert.is(code, 0, stderr);
          return stdout;
        }),
      );
    const beside = await answers();
    assert.match(
      beside[0]!,
      new RegExp(
        [
          '^LISTING .*TITLE\n\nSUBSCRIPTION +SINCE +TITLE',
          `${listing} +\\S+Z +Shop figures`,
          ` +mkt:${listing}:shop\\.orders\n`,
        ].join('\n'),
      ),
    );
    assert.match(beside[1]!, new RegExp(`${listing} +published +${shop.workspace} +2 +1 +Shop figures\n$`));
    await running.stop();
    assert.equal(await answers(), beside);
    assert.is((await presage(['replay', '--verify', '--projection', 'marketplace'], { DATA_DIR })).code, 0);
    running = await serve({ DATA_DIR });
  });

  test('what may not be is refused in one line', async () => {
    const draft = (names: Partial<MarketplaceOptions>): MarketplaceOptions =>
      ({
        what: 'draft',
        workspace: shop.workspace,
        title: 'T',
        keys: [],
        streams: [],
        ...names,
      }) as MarketplaceOptions;
    await refused(
      /has no signal 'shop.order', no event stream 'shop.orders'$/,
      draft({ keys: ['shop.order'], streams: ['shop.orders', 'outages'] }),
    );
    await refused(/names 1 to 500/, draft({}));
    await refused(/is a subscribed signal/, draft({ keys: [`mkt:${listing}:shop.orders`] }));
    await refused(/is a subscribed stream/, draft({ streams: ['mkt-evt:x'] }));
    await refused(
      /there is no workspace wsp_nothing/,
      draft({ workspace: 'wsp_nothing', keys: ['shop.orders'] }),
    );
    await refused(/there is no workspace wsp_nothing/, {
      what: 'subscribe',
      listing,
      workspace: 'wsp_nothing',
    });
    await refused(/there is no workspace wsp_nothing/, { what: 'list', workspace: 'wsp_nothing' });
    await refused(/workspace's own/, { what: 'subscribe', listing, workspace: shop.workspace });
    await refused(/no subscription to this listing/, {
      what: 'unsubscribe',
      listing,
      workspace: shop.workspace,
    });
    for (const what of ['publish', 'withdraw', 'show'] as const)
      await refused(/^Listing not found$/, { what, listing: 'lst_none' });
    const { code, stderr } = await market('draft', '--workspace', shop.workspace);
    assert.is(code, 2);
    assert.match(stderr, /--title/);
  });

  test('a subscription ends, and so does a listing', async () => {
    const workspace = reader.workspace;
    const lists = { what: 'list', workspace } as const;
    assert.is((await done('unsubscribe', listing, '--workspace', workspace)).subscribed, false);
    assert.equal((await asked(lists)).subscriptions, []);
    assert.is((await asked({ what: 'subscribe', listing, workspace })).aliases.length, 3);
    assert.equal(await done('withdraw', listing), { listing_id: listing, state: 'withdrawn' });
    assert.equal((await asked(lists)).subscriptions, []);
    assert.is((await asked({ what: 'show', listing })).subscribers, 0);
    await refused(/withdrawn, which is for good/, { what: 'publish', listing });
    await refused(/withdrawn, which is for good/, { what: 'subscribe', listing, workspace });
  });

  test('it explains itself', async () => {
    const { stdout } = await market('--help');
    for (const options of ['draft', 'publish', 'withdraw', 'show', 'list', 'subscribe', 'unsubscribe'])
      assert.match(stdout, new RegExp(`^  ${options} `, 'm'));
    assert.match(
      (await market('draft', '--help')).stdout,
      /^Usage: presage marketplace draft[\s\S]*--streams <a,b>/,
    );
  });
});
