import { Rejected } from '../../domain/rejected.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Channel } from '../../domain/realtime/frame.js';
import type { Awaitable } from '../../projections/engine/awaitable.js';
import type { Admit } from '../edge/auth.js';
import type { Caller } from '../edge/row.js';
import type { Connection } from './connection.js';
import type { Hub } from './hub.js';

/** One answer for what is somebody else's and for what is not there: nobody can look for channels. */
export const channelForbidden = new Rejected(
  'forbidden',
  'channel_forbidden',
  'There is no such channel for you',
);
const FOREIGN = 'workspace_forbidden';

/** What a name is a channel of; null: of no kind that there is. */
function subjectOf(name: string): { readonly kind: string; readonly id: string } | null {
  const [, kind, id] = /^(workspace|goal|user):(.{1,200})$/s.exec(name) ?? [];
  return kind === undefined || id === undefined ? null : { kind, id };
}

/** Why a channel may not be listened to, or else the role in its workspace; null: it is of none. */
export type Answer = { readonly refused: Rejected } | { readonly refused: null; readonly role: Role | null };
export type Rights = ReturnType<typeof rightsOf>;

type Deps = {
  readonly admit: Admit;
  readonly hub: Pick<Hub, 'changes'>;
  /** The workspace of a goal; null: there is none with this id. */
  readonly workspaceOf: (goalId: string) => Promise<string | null>;
};

/** Who a token is, and what it may listen to: by the same rules as every request. */
export const rightsOf = ({ admit, hub, workspaceOf }: Deps) => {
  /**
   * Asks again where rights changed meanwhile, and uses the answer before they can change: who comes in just
   * then must not slip through.
   */
  const steady = async <T>(ask: () => Awaitable<T>, use: (answer: T) => void): Promise<void> => {
    for (;;) {
      const before = hub.changes();
      const answer = await ask();
      if (before === hub.changes()) return use(answer);
    }
  };
  const answer = async ({ authorization, caller }: Connection, name: string): Promise<Answer> => {
    const { kind, id } = subjectOf(name) ?? {};
    if (kind === 'user' && id === caller?.uid) return { refused: null, role: null };
    const workspace = kind === 'goal' ? await workspaceOf(id!) : id;
    if (kind === 'user' || !kind || !workspace) return { refused: channelForbidden };
    const scope = kind === 'goal' ? 'goals.read' : 'workspaces.read';
    try {
      const headers = { authorization, 'x-workspace-id': workspace };
      const { role } = await admit({ kind: 'workspace', scope }, headers);
      return { refused: null, role };
    } catch (error) {
      if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
      return { refused: error.code === FOREIGN ? channelForbidden : error };
    }
  };
  return {
    /** @throws Rejected as every request with this token is */
    caller: (authorization: string, use: (caller: Caller) => void): Promise<void> =>
      steady(() => admit({ kind: 'account' }, { authorization }), use),
    /**
     * Of each channel whether it may be listened to. @throws what a store that does not answer throws
     */
    answers: (
      connection: Connection,
      names: readonly string[],
      use: (answers: ReadonlyMap<Channel, Answer>) => void,
    ): Promise<void> =>
      steady(
        async () =>
          new Map(
            await Promise.all(
              names.map(async name => [name as Channel, await answer(connection, name)] as const),
            ),
          ),
        use,
      ),
  };
};
