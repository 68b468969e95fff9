import { Rejected } from '../../domain/rejected.js';
import { SUBSCRIBED } from '../../domain/events/streams.js';
import { array, object } from '../../domain/schema.js';
import { ALIAS } from '../../domain/signals/decider.js';
import { contextOf } from '../context.js';
import { notValid } from '../errors.js';
import { row, type Row } from '../row.js';
import { MOST_KEYS } from './label-schemas.js';
import { latest, unlessGone } from './labels.js';
import { tag, writes, type SignalRoom } from './room.js';
import { signalKey } from './schemas.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const keys = { type: 'array', maxItems: MOST_KEYS, items: signalKey, examples: [['shop.orders']] } as const;

const body = object({}, {
  keys: { ...keys, description: 'signals' }, event_streams: { ...keys, description: 'event streams', examples: [['outages']] },
  force: { type: 'boolean', description: 'also what is listed on the marketplace, or used by a goal or segment' },
});
const reasons = ['subscribed_alias', 'subscribed_stream', 'not_found'] as const;
const answer = object({
  data: object({
    deleted_keys: array(text), deleted_streams: array(text), deleted_points: whole, deleted_events: whole,
    skipped: array(object({ key: text, reason: { enum: reasons } })),
  }),
});

type Context = ReturnType<typeof contextOf>;
type Skipped = { readonly key: string; readonly reason: (typeof reasons)[number] };
/** What became of a part of the batch; `count`: how many points or events went. */
type Part = { readonly deleted: readonly string[]; readonly count: number; readonly skipped: readonly Skipped[] };

/** Deleting signals and event streams: spec 4.3, open-parts 4.5. */
export const deletionRows = (room: SignalRoom): Row[] => [
  row({
    method: 'post', path: '/v1/signal/delete', operation: 'deleteSignals', summary: 'Delete signals and event streams', tag, access: writes,
    description: `Up to ${MOST_KEYS} of them. Without \`force\` nothing is deleted when one of them has a draft or published listing on the `
      + 'marketplace, or is in use. What is subscribed stays, and is named in `skipped`, as is what there is not.',
    body, answers: { 200: { description: 'What went, and what was skipped', schema: answer } }, errors: { 409: ['LISTING_CONFLICT', 'IN_USE'] },
    async run(call) {
      const { workspace, body: { keys = [], event_streams: streams = [], force = false } } = call, context = contextOf(call, room.clock());
      const named = { keys: [...new Set(keys)], streams: [...new Set(streams)] };
      if (keys.length + streams.length > MOST_KEYS)
        throw notValid([{ loc: ['body'], msg: `must name at most ${MOST_KEYS} signals and event streams together`, type: 'too_long' }]);
      if (!force) await free(room, workspace, named);
      const [points, events] = await Promise.all([deleteSignals(room, workspace, named.keys, context), deleteStreams(room, workspace, named.streams, context)]);
      return {
        body: {
          data: {
            deleted_keys: points.deleted, deleted_streams: events.deleted, deleted_points: points.count, deleted_events: events.count,
            skipped: [...points.skipped, ...events.skipped],
          },
        },
      };
    },
  }),
];

/** Refuses a batch that takes something away from somebody. */
async function free(room: SignalRoom, workspace: string, named: { readonly keys: readonly string[]; readonly streams: readonly string[] }): Promise<void> {
  const within = (keys: readonly string[], streams: readonly string[]): string[] =>
    [...keys.filter(key => named.keys.includes(key)), ...streams.filter(key => named.streams.includes(key))];
  const listings = await room.market.listingsOf(workspace, named.keys, named.streams);
  if (listings.length > 0) {
    throw new Rejected('conflict', 'LISTING_CONFLICT', 'Nothing was deleted: some of it is listed on the marketplace; `force` deletes it all the same', {
      listings: listings.map(({ _id, title, state, keys, streams }) => ({ listing_id: _id, title, state, keys: within(keys, streams) })),
    });
  }
  const uses = await room.inUse(workspace, named.keys, named.streams);
  if (uses.length > 0) {
    throw new Rejected('conflict', 'IN_USE', 'Nothing was deleted: some of it is in use; `force` deletes it all the same', {
      users: uses.map(({ kind, id, name, keys, streams }) => ({ kind, id, name, keys: within(keys, streams) })),
    });
  }
}

async function deleteSignals({ commands, queries, visible }: SignalRoom, workspace: string, keys: readonly string[], context: Context): Promise<Part> {
  const there = await queries.signals(workspace, keys);
  const outcomes = await Promise.all(keys.map(key => there.has(key) ? unlessGone(commands.delete(workspace, key, context)) : null));
  await visible(latest(outcomes));
  const points = await Promise.all(keys.map(async (key, i) => {
    const outcome = outcomes[i], end = outcome && await queries.end(workspace, key);
    return !outcome ? 0 : end && end.at === outcome.position ? end.points : there.get(key)!.count;
  }));
  return partOf(keys, points, outcomes, key => key.startsWith(ALIAS) ? 'subscribed_alias' : key.startsWith(SUBSCRIBED) ? 'subscribed_stream' : 'not_found');
}

async function deleteStreams({ streams: { commands, queries, visible } }: SignalRoom, workspace: string, keys: readonly string[], context: Context): Promise<Part> {
  const there = new Map([...(await queries.streamsAt(keys.map(key => ({ workspace, key })))).values()].map(stream => [stream.key, stream]));
  const outcomes = await Promise.all(keys.map(key => there.has(key) ? commands.deleteStream(workspace, key, context) : null));
  await visible(latest(outcomes));
  const events = await Promise.all(keys.map(async (key, i) => {
    const outcome = outcomes[i], deleted = outcome && (await queries.stream(workspace, key))?.deleted;
    return !outcome ? 0 : deleted && deleted.at === outcome.position ? deleted.count : there.get(key)!.count;
  }));
  return partOf(keys, events, outcomes, key => key.startsWith(SUBSCRIBED) ? 'subscribed_stream' : key.startsWith(ALIAS) ? 'subscribed_alias' : 'not_found');
}

/** Whatever was not deleted was skipped. */
function partOf(
  keys: readonly string[], counts: readonly number[], outcomes: readonly (object | null)[], reasonOf: (key: string) => Skipped['reason'],
): Part {
  return {
    deleted: keys.filter((_, i) => outcomes[i]), count: counts.reduce((a, b) => a + b, 0),
    skipped: keys.filter((_, i) => !outcomes[i]).map(key => ({ key, reason: reasonOf(key) })),
  };
}
