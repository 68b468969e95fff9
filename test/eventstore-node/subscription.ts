import { deletedFailure, tooSlowFailure } from './failures.js';
import type { Filter } from './filter.js';
import { caughtUpAnswer, checkpointAnswer, confirmationAnswer, eventAnswer } from './messages.js';
import type { Outlet } from './outlet.js';
import type { Stored } from './rows.js';
import type { Source } from './sources.js';
import type { Store } from './store.js';

const PAGE = 32;

export type SubscriptionSettings = { generation: 23 | 24; liveBuffer: number };

/** One subscription: confirmation, catching up, caught up, live. */
export class Subscription {
  private live = false;
  /** Events looked at since the last checkpoint. */
  private looked = 0;

  constructor(
    private readonly outlet: Outlet,
    private readonly source: Source,
    private readonly filter: Filter | null,
    /** The position it follows: generation 24 reads it once more, and counts it, but does not send it. */
    private readonly after: number,
    private readonly settings: SubscriptionSettings,
  ) {}

  async run(store: Store): Promise<void> {
    await this.outlet.write(confirmationAnswer());
    store.listeners.add(this.outlet.wake);
    try {
      while (!this.outlet.closed) await this.step();
    } finally {
      store.listeners.delete(this.outlet.wake);
      this.outlet.end();
    }
  }

  private async step(): Promise<void> {
    if (this.source.isDead()) return this.endDeleted();
    const page = this.source.next(this.filter?.window ?? PAGE);
    if (!page.length) return this.atEnd();
    await (this.live ? this.sendLive(page) : this.catchUp(page));
  }

  private async endDeleted(): Promise<void> {
    const tombstone = this.source.tombstone();
    if (tombstone) await this.outlet.write(eventAnswer(tombstone));
    this.outlet.fail(deletedFailure(this.source.name));
  }

  private async atEnd(): Promise<void> {
    const old = this.settings.generation === 23;
    // generation 23 does not call itself caught up with a stream that does not exist yet
    if (this.live || (old && !this.source.exists())) return this.outlet.untilWoken();
    this.live = true;
    if (!old) this.looked = 0;
    await this.outlet.write(caughtUpAnswer());
  }

  private async catchUp(page: Stored[]): Promise<void> {
    let lastMatch: number | null = null;
    for (const event of page) {
      if (event.position <= this.after || this.filter?.matches(event) === false) continue;
      await this.outlet.write(eventAnswer(event));
      lastMatch = event.position;
    }
    if (this.filter) await this.checkpointAfter(page, lastMatch, this.filter);
    await new Promise(setImmediate);
  }

  /** Catching up, a checkpoint is at a full page's last match, or else where the page began. */
  private async checkpointAfter(page: Stored[], lastMatch: number | null, filter: Filter): Promise<void> {
    this.looked += page.length;
    const full = page.length === filter.window;
    if (full && this.looked >= filter.every) {
      this.looked %= filter.every;
      await this.outlet.write(checkpointAnswer(lastMatch ?? page[0]!.position));
    } else if (!full && this.settings.generation === 24 && lastMatch !== null) {
      await this.outlet.write(checkpointAnswer(lastMatch)); // 24 says once more where it stands
    }
  }

  /** Live: a checkpoint at every so many events looked at, at that event. */
  private async sendLive(page: Stored[]): Promise<void> {
    const taken = page.map(event => this.sendOne(event));
    if (taken.every(Boolean)) return;
    // A burst that the connection does not take at once: generation 23 drops the subscription, 24 goes back
    // to catching up and says caught up again.
    if (this.source.waiting(this.settings.liveBuffer + 1) > this.settings.liveBuffer) {
      if (this.settings.generation === 23) return this.outlet.fail(tooSlowFailure());
      this.live = false;
    }
    await this.outlet.whenDrained();
  }

  private sendOne(event: Stored): boolean {
    const wanted = !this.filter || this.filter.matches(event);
    const taken = wanted ? this.outlet.send(eventAnswer(event)) : true;
    if (!this.filter || ++this.looked < this.filter.every) return taken;
    this.looked = 0;
    this.outlet.send(checkpointAnswer(event.position));
    return taken;
  }
}
