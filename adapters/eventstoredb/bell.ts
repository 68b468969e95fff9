import { END, excludeSystemEvents, type AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from './client.js';
import { backOff } from './patience.js';

/** A subscription may fall silent without a word; so the end of the log is looked at this often as well. */
const LOOK_EVERY_MS = 900;

/**
 * Wakes those who page. A subscription to what is new is only a bell: what it carries is not looked at, so
 * that one that is dropped, is late or says things twice does no harm. It is opened again after every error,
 * with growing pauses.
 */
export class Bell {
  private readonly listeners = new Set<() => void>();
  private subscription: AllStreamSubscription | null = null;
  private again: NodeJS.Timeout | undefined;
  private look: NodeJS.Timeout | undefined;
  private failures = 0;
  private ringing = false;

  /** `head`: the position of the last fact. */
  constructor(
    private readonly connection: Connection,
    private readonly head: () => Promise<number>,
  ) {}

  listen(ring: () => void): () => void {
    const listener = (): void => ring(); // the same function may listen twice
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.start();
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.stop();
    };
  }

  /** Rings for everybody, in the next turn and once for all calls until then. */
  readonly ring = (): void => {
    if (this.ringing || this.listeners.size === 0) return;
    this.ringing = true;
    setImmediate(() => {
      this.ringing = false;
      for (const listener of this.listeners) listener();
    });
  };

  close(): void {
    this.listeners.clear();
    this.stop();
  }

  private start(): void {
    this.subscribe();
    let last: number | undefined;
    let looking = false;
    const look = async (): Promise<void> => {
      if (looking) return;
      looking = true;
      const head = await this.head().catch(() => last); // the store is away: there is nothing to page
      if (head !== last) this.ring();
      last = head;
      looking = false;
    };
    this.look = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  }

  private stop(): void {
    clearInterval(this.look);
    clearTimeout(this.again);
    const { subscription } = this;
    this.subscription = null;
    subscription?.unsubscribe().catch(() => {}); // it never came to a call
  }

  private subscribe(): void {
    const subscription = this.connection.client.subscribeToAll({
      fromPosition: END,
      filter: excludeSystemEvents(),
    });
    this.subscription = subscription;
    subscription.on('confirmation', () => {
      this.failures = 0;
      this.ring(); // for what came while nobody was subscribed
    });
    subscription.on('data', this.ring);
    const ended = (): void => this.subscribeAgain(subscription);
    subscription.on('error', ended);
    subscription.on('end', ended);
  }

  /**
   * After an error a subscription is silent for ever; `end` and `error` may both come, for one that is long
   * replaced, too.
   */
  private subscribeAgain(ended: AllStreamSubscription): void {
    if (this.subscription !== ended) return;
    this.subscription = null;
    this.again = setTimeout(() => this.subscribe(), backOff(this.failures++)).unref();
  }
}
