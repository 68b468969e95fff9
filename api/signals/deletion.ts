import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { deletionAnswer, deletionBody } from './deletion-schemas.js';
import { tag, writes, type SignalDeps } from './deps.js';
import { MOST_KEYS } from './label-schemas.js';
import { deleteSignals, deleteStreams } from './removal.js';

const TOO_MANY = `must name at most ${MOST_KEYS} signals and event streams together`;

type Named = { readonly keys: readonly string[]; readonly streams: readonly string[] };

/** Deleting signals and event streams: spec 4.3, open-parts 4.5. */
export const deletionRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/signal/delete',
    operation: 'deleteSignals',
    summary: 'Delete signals and event streams',
    tag,
    description:
      `Up to ${MOST_KEYS} of them. Without \`force\` nothing is deleted when one of them has a draft or `
      + 'published listing on the marketplace, or is in use. What is subscribed stays, and is named in '
      + '`skipped`, as is what there is not.',
    access: writes,
    query: dryQuery,
    body: deletionBody,
    errors: { 409: ['LISTING_CONFLICT', 'IN_USE'] },
    answers: {
      200: {
        description: 'What went, and what was skipped; with dry_run what would',
        schema: deletionAnswer,
      },
    },
    async run(call) {
      const {
        workspace,
        query,
        body: { keys = [], event_streams: streams = [], force = false },
      } = call;
      const named = { keys: [...new Set(keys)], streams: [...new Set(streams)] };
      const context = contextOf(call, deps.clock());
      if (keys.length + streams.length > MOST_KEYS)
        throw notValid([{ loc: ['body'], msg: TOO_MANY, type: 'too_long' }]);
      if (!force) await free(deps, workspace, named);
      const by = query.dry_run ? { ...deps, ...deps.trying() } : deps;
      const [signals, events] = await Promise.all([
        deleteSignals(by, workspace, named.keys, context),
        deleteStreams(by, workspace, named.streams, context),
      ]);
      const data = {
        deleted_keys: signals.deleted,
        deleted_streams: events.deleted,
        deleted_points: signals.count,
        deleted_events: events.count,
        skipped: [...signals.skipped, ...events.skipped],
      };
      return query.dry_run ? wouldBe(data) : { body: { data } };
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
