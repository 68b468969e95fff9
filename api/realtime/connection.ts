import type { WebSocket } from 'ws';
import { roleReaches, type Role } from '../../domain/groups/roles.js';
import type { Channel } from '../../domain/realtime/frame.js';
import type { Caller } from '../edge/row.js';
import { closing, type CloseCode } from './protocol.js';

/** Bytes that a reader may be behind; the kernel's buffers are not counted. */
export const MOST_UNSENT = 256 * 1024;

/** `role`: in the workspace of the channel; null: it is of none. */
type Listening = { readonly channel: Channel; seq: number; role: Role | null };

/** What is counted of all connections of this process. */
export type Tally = { sent: number; dropped: number };

/** One client that is connected, and what it listens to. */
export class Connection {
  /** Null until its token was let in. */
  caller: Caller | null = null;
  /** The header that its token came in, or would have: by it rights are looked at again. */
  authorization = '';
  readonly channels = new Map<Channel, Listening>();
  /** When it last said something, epoch ms. */
  heardAt: number;
  /** When its rights were looked at, epoch ms. */
  checkedAt = 0;
  isEnding = false;
  #ended: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly address: string,
    readonly socket: WebSocket,
    readonly tally: Tally,
    readonly openedAt: number,
  ) {
    this.heardAt = openedAt;
  }

  /** Hears once when nothing more is told to it. */
  onEnd(ended: () => void): void {
    this.#ended = ended;
  }

  send(text: string): void {
    if (this.isEnding) return;
    if (this.socket.bufferedAmount + text.length > MOST_UNSENT) {
      this.tally.dropped++;
      this.end(closing.tooMuch, 'too much unsent data');
      return;
    }
    this.tally.sent++;
    this.socket.send(text);
  }

  /** Tells an event of one of its channels. */
  tell(listening: Listening, head: string): void {
    listening.seq++;
    this.send(`${head}${listening.seq}}`);
  }

  /**
   * Whether something of a workspace (null: it is of none) may be told on a channel; `guarded`: to admins and
   * owners of the workspace alone. A token that is limited hears of no workspace only what is told to a
   * workspace that it may see.
   */
  maySee({ role }: Listening, workspace: string | null, guarded: boolean): boolean {
    if (guarded && role && !roleReaches(role, 'admin')) return false;
    const limits = this.caller?.workspaceIds ?? null;
    if (limits === null) return true;
    return workspace === null ? role !== null : limits.includes(workspace);
  }

  /** Whether its token is limited to some workspaces. */
  get isLimited(): boolean {
    return (this.caller?.workspaceIds ?? null) !== null;
  }

  /** Begins the end. `reason`: at most 123 bytes. */
  end(code: CloseCode, reason: string): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.#ended();
    this.socket.close(code, reason);
    // Its own closing frame is still to be read
    this.socket.resume();
  }

  /** It is gone. */
  gone(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.#ended();
  }
}
