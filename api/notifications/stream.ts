import { Readable } from 'node:stream';
import type { Log } from '../../commands/ports/log.js';
import { Rejected } from '../../domain/rejected.js';
import { MINUTE } from '../../domain/time.js';
import { NO_WORKSPACE, type NotificationDoc } from '../../projections/notifications/documents.js';
import { object } from '../../json-schema.js';
import type { Admit } from '../edge/auth.js';
import { row, type Access, type Row } from '../edge/row.js';
import { tag, type NotificationDeps } from './deps.js';
import type { Listeners } from './listeners.js';
import { messages, type Reading } from './messages.js';
import { positionOf } from './stream-ids.js';

export type StreamDeps = Pick<NotificationDeps, 'queries' | 'clock'> & {
  readonly listeners: Listeners;
  /** Lets tokens in, as the edge does for every request. */
  readonly admit: Admit;
  /** Position of the last fact of the log. */
  readonly head: () => Promise<number>;
  readonly log: Log;
  /** Whether its owner is still in what it is of. */
  readonly isTheirs: (doc: NotificationDoc) => Promise<boolean>;
};

/** A reader who takes nothing for so long is cut off; it comes back where it was. */
const STUCK_MS = MINUTE;
/** Bytes that wait in the process for one reader. */
const AHEAD = 16_384;

const access = { kind: 'account', scope: 'workspaces.read', workspace: 'optional' } as const satisfies Access;
/** What is of no workspace. */
const unlimited = { kind: 'account', scope: 'workspaces.read', everywhere: true } as const satisfies Access;
const inWorkspace = { kind: 'workspace', scope: 'workspaces.read' } as const satisfies Access;

/** What the caller is told, as it comes: Server-Sent Events that lose nothing. */
export function streamRow({ queries, listeners, admit, head, clock, log, isTheirs }: StreamDeps): Row {
  const isAdmitted = async (...asked: Parameters<Admit>): Promise<boolean> => {
    try {
      await admit(...asked);
      return true;
    } catch (error) {
      // A store that does not answer says nothing of rights
      if (error instanceof Rejected) return error.kind === 'unavailable';
      throw error;
    }
  };
  return row({
    method: 'get',
    path: '/v1/notifications/stream',
    operation: 'streamNotifications',
    summary: 'Notifications as they come',
    description:
      'Server-Sent Events. `retry: 3000` comes first, to who is new with `event: listening` and an '
      + '`id`; each message is `event: notification`, its `data` the notification as one line of JSON; '
      + 'repeats that are merged come again under the same `notification_id`. A comment comes at least '
      + 'every 15 s. Who comes back with the last `id`, in the header `Last-Event-ID` or as '
      + '`last_event_id`, misses nothing for 24 hours; for an older or unknown one `event: reset` comes, '
      + 'and the feed has to be read again. Without `X-Workspace-Id` it tells of all workspaces. A token '
      + 'that is limited to some hears of those alone. It ends with the token. A token may read 20 '
      + 'streams at a time.',
    tag,
    access,
    query: object(
      {},
      { last_event_id: { type: 'string', maxLength: 100, description: 'where no header can be sent' } },
    ),
    headers: { 'Last-Event-ID': { type: 'string', description: 'the last `id` that came' } },
    errors: { 429: ['rate_limited'] },
    answers: {
      200: {
        description: 'The stream; it does not end by itself',
        media: 'text/event-stream',
        schema: { type: 'string' },
        example: 'retry: 3000\nid: 1a-mqx0f3k8\nevent: listening\ndata: {}\n\n',
      },
    },
    async run({ caller, headers, query }) {
      const { uid, tokenId, workspace: chosen } = caller;
      const listener = listeners.open(uid, tokenId);
      try {
        const last = String(headers['last-event-id'] ?? query.last_event_id ?? '');
        const known = last === '' ? null : positionOf(last, await head(), clock());
        const blocks = messages({
          ...{ listener, queries, clock },
          from: known ?? (await queries.upTo()),
          begins: beginning(last, known),
          isAllowed: () => isAdmitted(access, headers),
          async mayHear(doc) {
            const { workspace } = doc;
            if (workspace === NO_WORKSPACE) return (await isAdmitted(unlimited, headers)) && isTheirs(doc);
            if (chosen !== null) return workspace === chosen;
            return isAdmitted(inWorkspace, { ...headers, 'x-workspace-id': workspace });
          },
        });
        const body: Readable = Readable.from(
          patiently(blocks, {
            cut: () => body.destroy(),
            ended: () => listeners.close(listener),
            failed: err => log.warn({ err }, 'a stream of notifications ended; its reader comes back'),
          }),
          { objectMode: false, highWaterMark: AHEAD },
        );
        listener.cut = () => body.destroy();
        // Also where nothing of it was ever read
        body.once('close', () => listeners.close(listener));
        return {
          headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
          body,
        };
      } catch (error) {
        listeners.close(listener);
        throw error;
      }
    },
  });
}

function beginning(last: string, known: number | null): Reading['begins'] {
  if (last === '') return 'new';
  return known === null ? 'reset' : 'behind';
}

type Ends = {
  readonly cut: () => void;
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
};

/** Passes blocks on, each when it is asked for, as long as somebody asks. */
async function* patiently(blocks: AsyncIterable<string>, ends: Ends): AsyncGenerator<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const block of blocks) {
      timer = setTimeout(ends.cut, STUCK_MS);
      yield block;
      clearTimeout(timer);
    }
  } catch (error) {
    ends.failed(error);
  } finally {
    clearTimeout(timer);
    ends.ended();
  }
}
