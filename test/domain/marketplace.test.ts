import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { aliasIn, aliasOf, MAX_LISTED_KEY } from '../../domain/marketplace/aliases.js';
import type { ListingFact, MarketplaceFact, Offer } from '../../domain/marketplace/facts.js';
import { listings, MAX_LISTED, type ListingCommand } from '../../domain/marketplace/listings.js';
import { subscriptions, type SubscriptionCommand } from '../../domain/marketplace/subscriptions.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const listingId = 'lst_0a1b';
const of = { workspace: 'wsp_shop', listingId };
const offer: Offer = { title: 'Orders', keys: ['shop.orders', 'a:b'], streams: ['outages'] };
const draft = (changes: Partial<Offer> = {}): ListingCommand => ({
  type: 'DraftListing',
  data: { ...of, ...offer, ...changes },
});
const publish: ListingCommand = { type: 'PublishListing', data: of };
const withdraw: ListingCommand = { type: 'WithdrawListing', data: of };
const drafted: ListingFact = { type: 'ListingDrafted', data: { listingId, ...offer } };
const published: ListingFact = { type: 'ListingPublished', data: { listingId } };
const withdrawn: ListingFact = { type: 'ListingWithdrawn', data: { listingId } };

suite('listings', test => {
  test('one is drafted', () => given(listings).when(draft()).then(drafted));
  test('once', () =>
    given(listings, drafted)
      .when(draft({ title: 'Other' }))
      .thenNothing());
  test('a name given twice is one, a title is trimmed', () =>
    given(listings)
      .when(draft({ title: ' Orders ', keys: ['a', 'b', 'a'], streams: [] }))
      .then({ type: 'ListingDrafted', data: { listingId, title: 'Orders', keys: ['a', 'b'], streams: [] } }));
  test('a draft is published', () => given(listings, drafted).when(publish).then(published));
  test('once', () => given(listings, drafted, published).when(publish).thenNothing());
  test('it is withdrawn', () => given(listings, drafted, published).when(withdraw).then(withdrawn));
  test('also as a draft', () => given(listings, drafted).when(withdraw).then(withdrawn));
  test('once', () => given(listings, drafted, withdrawn).when(withdraw).thenNothing());
  test('for good', () =>
    given(listings, drafted, published, withdrawn)
      .when(publish)
      .thenRejected(/withdrawn, which is for good/));
  for (const command of [publish, withdraw])
    test(`${command.type} of none is not found`, () =>
      given(listings)
        .when(command)
        .thenRejected(/^Listing not found$/));

  const refused: [string, Partial<Offer>, RegExp][] = [
    ['no title', { title: '  ' }, /title has 1 to 200/],
    ['a long title', { title: 'x'.repeat(201) }, /title has 1 to 200/],
    ['no name', { keys: [], streams: [] }, /names 1 to/],
    ['an empty name', { keys: [''] }, /has 1 to/],
    ['too many names', { keys: Array.from({ length: MAX_LISTED }, (_, i) => `k${i}`) }, /names 1 to 500/],
    [
      'a key that makes too long an alias',
      { keys: ['k'.repeat(MAX_LISTED_KEY + 1)] },
      /listed signal has 1 to 167/,
    ],
    [
      'a stream that makes too long an alias',
      { streams: ['k'.repeat(MAX_LISTED_KEY + 1)] },
      /listed stream has 1 to 167/,
    ],
    ['a subscribed signal', { keys: ['mkt:lst_1:orders'] }, /is a subscribed signal/],
    ['a subscribed stream', { streams: ['mkt-evt:lst_1:outages'] }, /is a subscribed stream/],
  ];
  for (const [what, changes, message] of refused)
    test(`${what} is refused`, () => given(listings).when(draft(changes)).thenRejected(message));
  test('an id that could be mistaken in an alias is refused', () =>
    given(listings)
      .when({ type: 'DraftListing', data: { ...of, ...offer, listingId: 'lst_a:b' } })
      .thenRejected(/no id of a listing/));
});

suite('subscriptions', test => {
  const start = (workspace = 'wsp_mine'): SubscriptionCommand => ({
    type: 'StartSubscription',
    data: { workspace, listingId, publisher: of.workspace },
  });
  const end: SubscriptionCommand = { type: 'EndSubscription', data: { workspace: 'wsp_mine', listingId } };
  const started: MarketplaceFact = {
    type: 'SubscriptionStarted',
    data: { listingId, publisher: of.workspace },
  };
  const ended: MarketplaceFact = { type: 'SubscriptionEnded', data: { listingId } };

  test('one is started to a published listing', () =>
    given(subscriptions, drafted, published).when(start()).then(started));
  test('once', () => given(subscriptions, drafted, published, started).when(start()).thenNothing());
  test('and again after its end', () =>
    given(subscriptions, drafted, published, started, ended).when(start()).then(started));
  test('not to one that is not there', () =>
    given(subscriptions)
      .when(start())
      .thenRejected(/^Listing not found$/));
  test('not to a draft, which nobody knows of', () =>
    given(subscriptions, drafted)
      .when(start())
      .thenRejected(/^Listing not found$/));
  test('not to a withdrawn one', () =>
    given(subscriptions, drafted, published, withdrawn)
      .when(start())
      .thenRejected(/withdrawn/));
  test('not once more to a withdrawn one', () =>
    given(subscriptions, drafted, published, started, withdrawn)
      .when(start())
      .thenRejected(/withdrawn/));
  test("not to one's own, published or not", () => {
    given(subscriptions, drafted, published)
      .when(start(of.workspace))
      .thenRejected(/workspace's own/);
    given(subscriptions, drafted)
      .when(start(of.workspace))
      .thenRejected(/workspace's own/);
  });
  test('it is ended', () => given(subscriptions, started).when(end).then(ended));
  test('once', () => given(subscriptions, started, ended).when(end).thenNothing());
  test('not where there is none', () =>
    given(subscriptions)
      .when(end)
      .thenRejected(/no subscription/));
  test("it looks at the listing in the publisher's journal, and only to start", () => {
    const { within } = subscriptions;
    const state = subscriptions.initialState;
    assert.equal(
      [
        within!(state, 'wsp_a.lst_0a1b', start()),
        within!(state, 'wsp_a.lst_0a1b', end),
        within!(state, 'wsp_a.lst_0a1b', null),
      ],
      [['listing-wsp_shop.lst_0a1b'], [], []],
    );
  });
});

suite('aliases', test => {
  test('say listing and key, whatever the key holds, and are never too long', () => {
    const key = fc.oneof(
      fc.string({ minLength: 1, maxLength: MAX_LISTED_KEY }),
      fc.constantFrom(':', 'a:b', 'mkt:lst_x:y', 'lst_1:k'),
    );
    const id = fc.stringMatching(/^lst_[0-9a-z]{1,20}$/);
    fc.assert(
      fc.property(id, key, fc.constantFrom('signal', 'stream'), (listing, name, kind) => {
        const alias = aliasOf(kind, { listingId: listing, key: name });
        assert.equal(aliasIn(kind, alias), { listingId: listing, key: name });
        assert.is(aliasIn(kind === 'signal' ? 'stream' : 'signal', alias), null);
        assert.ok(alias.length <= 200);
      }),
    );
  });
  for (const text of [
    '',
    'shop.orders',
    'mkt:',
    'mkt:lst_1',
    'mkt:lst_1:',
    'mkt::k',
    'mkt:wsp_1:k',
    'mkt:lst_1/x:k',
    'MKT:lst_1:k',
  ])
    test(`'${text}' is none`, () => assert.is(aliasIn('signal', text), null));
});
