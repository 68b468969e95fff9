import * as assert from 'uvu/assert';
import { eventsProjection } from '../../projections/events/projection.js';
import { eventQueries, type EventQueries } from '../../projections/events/queries.js';
import { reader } from '../../projections/engine/reader.js';
import { seenDocuments } from '../../projections/marketplace/seen-documents.js';
import { suite } from '../suite.js';
import { world } from './world.js';

const ALIAS = 'mkt-evt:lst_1:news';
const HOUR = 3_600_000;

/** A publisher with two streams, one of which somebody subscribes to; the latter has one of its own. */
async function market() {
  const { commands, context, project, models, clock, queries } = await world();
  const record = async (workspace: string, key: string, text: string, occurredAt: number) => {
    const { eventId } = await commands.record(
      workspace,
      { key, text, occurredAt, details: { value: text.length } },
      context(workspace),
    );
    await project();
    return eventId;
  };
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await record('pub', 'news', `News ${n}`, clock.now - n * HOUR));
  await record('pub', 'news', 'News to come', clock.now + HOUR);
  const secret = await record('pub', 'secret', 'Nobody else may read this', clock.now - HOUR);
  await commands.revise('pub', ids[0]!, { name: 'Anew' }, null, context('pub'));
  await project();
  const offer = { subscriber: 'sub', publisher: 'pub', aliases: new Map([['news', ALIAS]]) };
  const seen = eventQueries(
    seenDocuments(
      reader(models, eventsProjection, () => 0),
      offer,
    ),
  );
  return { own: queries, seen, ids, secret, now: clock.now };
}

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

/** Everything that can be asked about a stream and its events, page by page where there are pages. */
async function everything(queries: EventQueries, workspace: string, key: string, ids: string[], now: number) {
  const events = [];
  for (let place = null, more = true; more; ) {
    const page = await queries.streamPage(workspace, key, 2, null, place);
    events.push(...page.events);
    place = page.next;
    more = page.hasMore;
  }
  return {
    events,
    stream: await queries.stream(workspace, key),
    latest: await queries.latest(workspace, key),
    mostRecent: await queries.mostRecent(workspace, key, now),
    upcoming: await queries.upcoming(workspace, now, now + 2 * HOUR, [key], 10),
    scheduled: [...(await queries.scheduled(workspace, now, [key]))],
    scheduledIn: await queries.scheduledIn(workspace, key, now),
    points: await all(queries.points(workspace, key)),
    between: await all(queries.between(workspace, key, now - 2 * HOUR, now)),
    newest: await queries.newest(workspace, key, now, 3),
    firstAt: await queries.firstAt(workspace, key),
    revisions: await queries.revisions(workspace, ids[0]!, 0, 10),
    normalised: await Promise.all(
      ids.map(async id => queries.normalisedValue((await queries.event(workspace, id))!)),
    ),
    novelty: await queries.novelty(workspace, ids[0]!),
  };
}

suite('documents of a subscribed stream', test => {
  test('answer every query as those of the publisher do, under other names', async () => {
    const { own, seen, ids, now } = await market();
    const lying = JSON.stringify(await everything(own, 'pub', 'news', ids, now));
    const expected = lying
      .replaceAll('pub/news', `sub/${ALIAS}`)
      .replaceAll('pub', 'sub')
      .replaceAll('"news"', `"${ALIAS}"`);
    assert.ok(lying.length > 5_000);
    assert.equal(
      JSON.parse(JSON.stringify(await everything(seen, 'sub', ALIAS, ids, now))),
      JSON.parse(expected),
    );
  });

  test('are all that is there: nothing else of the publisher can be reached', async () => {
    const { seen, ids, secret, now } = await market();
    assert.is(await seen.event('sub', secret), null);
    assert.is(await seen.event('pub', ids[0]!), null);
    for (const [workspace, key] of [
      ['sub', 'secret'],
      ['sub', 'news'],
      ['pub', 'news'],
      ['pub', 'secret'],
    ] as const) {
      assert.is(await seen.stream(workspace, key), null);
      assert.equal((await seen.streamPage(workspace, key, 10, null, null)).events, []);
      assert.equal(await all(seen.points(workspace, key)), []);
      assert.equal(await seen.upcoming(workspace, now, now + 2 * HOUR, [key], 10), { events: [], total: 0 });
    }
    assert.equal(
      (await all(seen.streams('sub'))).map(({ key }) => key),
      [ALIAS],
    );
  });
});
