import { Rejected } from '../../domain/rejected.js';
import { SUBSCRIBED } from '../../domain/events/streams.js';
import { array, object } from '../edge/schema.js';
import { ALIAS } from '../../domain/signals/decider.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { MOST_KEYS } from './label-schemas.js';
import { tag, writes, type SignalDeps } from './deps.js';
import { signalKey } from './schemas.js';
import { latest, streamsNamed, unlessGone } from './writes.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const keys = { type: 'array', maxItems: MOST_KEYS, items: signalKey, examples: [['shop.orders']] } as const;

const body = object(
  {},
  {
    keys: { ...keys, description: 'signals' },
    event_streams: { ...keys, description: 'event streams', examples: [['outages']] },
    force: {
      type: 'boolean',
      description: 'also what is listed on the marketplace, or used by a goal or segment',
    },
  },
);
const reasons = ['subscribed_alias', 'subscribed_stream', 'not_found'] as const;
const answer = object({
  data: object({
    deleted_keys: array(text),
    deleted_streams: array(text),
    deleted_points: whole,
    deleted_events: whole,
    skipped: array(object({ key: text, reason: { enum: reasons } })),
  }),
});

const TOO_MANY = `must name at most ${MOST_KEYS} signals and event streams together`;

type Context = ReturnType<typeof contextOf>;
type Named = { readonly keys: readonly string[]; readonly streams: readonly string[] };
type Skipped = { readonly key: string; readonly reason: (typeof reasons)[number] };
/** What became of a part of the batch; `count`: how many points or events went. */
type Part = {
  readonly deleted: readonly string[];
  readonly count: number;
  readonly skipped: readonly Skipped[];
};

/** Deleting signals and event streams: spec 4.3, open-parts 4.5. */
export const deletionRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/signal/delete',
    operation: 'deleteSignals',
    summary: 'Delete signals and event streams',
    tag,
    description:
      `Up to ${MOST_KEYS} of them. Without \`force\` nothing is deleted when one of them has a draft or published listing on `
      + 'the marketplace, or is in use. What is subscribed stays, and is named in `skipped`, as is what there is not.',
    access: writes,
    body,
    errors: { 409: ['LISTING_CONFLICT', 'IN_USE'] },
    answers: { 200: { description: 'What went, and what was skipped', schema: answer } },
    async run(call) {
      const {
        workspace,
        body: { keys = [], event_streams: streams = [], force = false },
      } = call;
      const named = { keys: [...new Set(keys)], streams: [...new Set(streams)] };
      const context = contextOf(call, deps.clock());
      if (keys.length + streams.length > MOST_KEYS)
        throw notValid([{ loc: ['body'], msg: TOO_MANY, type: 'too_long' }]);
      if (!force) await free(deps, workspace, named);
      const [signals, events] = await Promise.all([
        deleteSignals(deps, workspace, named.keys, context),
        deleteStreams(deps, workspace, named.streams, context),
      ]);
      return {
        body: {
          data: {
            deleted_keys: signals.deleted,
            deleted_streams: events.deleted,
            deleted_points: signals.count,
            deleted_events: events.count,
            skipped: [...signals.skipped, ...events.skipped],
          },
        },
      };
    },
  }),
];

/** Refuses a batch that takes something away from somebody. */
async function free({ market, inUse }: SignalDeps, workspace: string, named: Named): Promise<void> {
  const within = ({ keys, streams }: Named): string[] => [
    ...keys.filter(key => named.keys.includes(key)),
    ...streams.filter(key => named.streams.includes(key)),
  ];
  const refused = (code: string, why: string, details: object) =>
    new Rejected(
      'conflict',
      code,
      `Nothing was deleted: some of it is ${why}; \`force\` deletes it all the same`,
      { ...details },
    );
  const listings = await market.listingsOf(workspace, named.keys, named.streams);
  if (listings.length > 0) {
    throw refused('LISTING_CONFLICT', 'listed on the marketplace', {
      listings: listings.map(({ _id, title, state, ...of }) => ({
        listing_id: _id,
        title,
        state,
        keys: within(of),
      })),
    });
  }
  const uses = await inUse(workspace, named.keys, named.streams);
  if (uses.length > 0) {
    throw refused('IN_USE', 'in use', {
      users: uses.map(({ kind, id, name, ...of }) => ({ kind, id, name, keys: within(of) })),
    });
  }
}

/** Why a key was skipped. A prefix of aliases alone says so, whether or not there is such an alias. */
const reasonOf = (key: string): Skipped['reason'] =>
  key.startsWith(ALIAS) ? 'subscribed_alias' : key.startsWith(SUBSCRIBED) ? 'subscribed_stream' : 'not_found';

async function deleteSignals(
  deps: SignalDeps,
  workspace: string,
  keys: readonly string[],
  context: Context,
): Promise<Part> {
  const { commands, queries, visible } = deps;
  const there = await queries.signals(workspace, keys);
  const gone = (key: string) => unlessGone(commands.delete(workspace, key, context));
  const outcomes = await Promise.all(keys.map(key => (there.has(key) ? gone(key) : null)));
  await visible(latest(outcomes));
  const points = await Promise.all(
    keys.map(async (key, i) => {
      const outcome = outcomes[i];
      const end = outcome && (await queries.end(workspace, key));
      return !outcome ? 0 : end && end.at === outcome.position ? end.points : there.get(key)!.count;
    }),
  );
  return partOf(keys, points, outcomes);
}

async function deleteStreams(
  deps: SignalDeps,
  workspace: string,
  keys: readonly string[],
  context: Context,
): Promise<Part> {
  const { commands, queries, visible } = deps.streams;
  const there = await streamsNamed(deps, workspace, keys);
  const outcomes = await Promise.all(
    keys.map(key => (there.has(key) ? commands.deleteStream(workspace, key, context) : null)),
  );
  await visible(latest(outcomes));
  const events = await Promise.all(
    keys.map(async (key, i) => {
      const outcome = outcomes[i];
      const deleted = outcome && (await queries.stream(workspace, key))?.deleted;
      return !outcome
        ? 0
        : deleted && deleted.at === outcome.position
          ? deleted.count
          : there.get(key)!.count;
    }),
  );
  return partOf(keys, events, outcomes);
}

/** Whatever was not deleted was skipped. */
function partOf(
  keys: readonly string[],
  counts: readonly number[],
  outcomes: readonly (object | null)[],
): Part {
  return {
    deleted: keys.filter((_, i) => outcomes[i]),
    count: counts.reduce((a, b) => a + b, 0),
    skipped: keys.filter((_, i) => !outcomes[i]).map(key => ({ key, reason: reasonOf(key) })),
  };
}
