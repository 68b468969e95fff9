import { Rejected } from '../../domain/rejected.js';
import { overloaded } from './errors.js';

/** What is granted to bodies while they are being sent. */
export type BodyRules = {
  /** All of them together; a quarter of it for one user, half of it for one address. */
  readonly bytes: number;
  /** Bodies at once. */
  readonly perUser: number;
  readonly perAddress: number;
  /** A body may take so long, and beyond it as long as it comes at the least rate. */
  readonly graceMs: number;
  readonly leastBytesPerS: number;
};
export const defaultBodyRules: BodyRules = {
  bytes: 134_217_728,
  perUser: 256,
  perAddress: 1_024,
  graceMs: 10_000,
  leastBytesPerS: 8_000,
};

const USER_SHARE = 1 / 4;
const ADDRESS_SHARE = 1 / 2;
/** About what a chunk takes beside its bytes: many tiny ones must not pass for little. */
const CHUNK_BYTES = 128;
const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_S = 1;

type Share = { count: number; bytes: number };

/** A body that is being sent. */
export class WaitingBody {
  readonly chunks: Buffer[] = [];
  size = 0;
  held = 0;
  ended = false;

  constructor(
    readonly uid: string,
    readonly address: string,
    readonly user: Share,
    readonly neighbours: Share,
    /** By the clock of the process, which nobody sets. */
    readonly since: number,
    readonly refuse: (refused: Error) => void,
  ) {}
}

/** All bodies that are being sent: none forever, and none at the cost of everybody else. */
export class WaitingBodies {
  readonly #all = new Set<WaitingBody>();
  readonly #users = new Map<string, Share>();
  readonly #addresses = new Map<string, Share>();
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(readonly rules: BodyRules) {}

  /**
   * A body begins to come. `uid`: '' for nobody known. `refuse` is called at most once, when it may not go
   * on.
   * @throws Rejected 503 when the user or the address has too many already
   */
  enter(uid: string, address: string, refuse: (refused: Error) => void): WaitingBody {
    const { perUser, perAddress } = this.rules;
    const user = shareOf(this.#users, uid);
    const neighbours = shareOf(this.#addresses, address);
    if (uid !== '' && user.count >= perUser) throw tooManyBodies;
    if (neighbours.count >= perAddress) throw tooManyBodies;
    user.count++;
    neighbours.count++;
    this.#users.set(uid, user);
    this.#addresses.set(address, neighbours);
    const body = new WaitingBody(uid, address, user, neighbours, performance.now(), refuse);
    this.#all.add(body);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return body;
  }

  /** More of it came; it is refused where that is too much for all, the user or the address. */
  add(body: WaitingBody, chunk: Buffer): void {
    const held = chunk.length + CHUNK_BYTES;
    body.chunks.push(chunk);
    body.size += chunk.length;
    this.#hold(body, held);
    if (this.#isTooMuch(body)) this.refuse(body, tooManyBytes);
  }

  /** More of one came that is kept elsewhere; answers how much of it came so far, bytes. */
  pass(body: WaitingBody, bytes: number): number {
    body.size += bytes;
    return body.size;
  }

  refuse(body: WaitingBody, refused: Error): void {
    if (!this.leave(body)) return;
    body.chunks.length = 0;
    body.refuse(refused);
  }

  /** It waits no more. False when it did not. */
  leave(body: WaitingBody): boolean {
    if (body.ended) return false;
    body.ended = true;
    this.#hold(body, -body.held);
    this.#all.delete(body);
    if (--body.user.count === 0) this.#users.delete(body.uid);
    if (--body.neighbours.count === 0) this.#addresses.delete(body.address);
    return true;
  }

  #hold(body: WaitingBody, bytes: number): void {
    body.held += bytes;
    body.user.bytes += bytes;
    body.neighbours.bytes += bytes;
    this.#bytes += bytes;
  }

  /** One that waits alone may be as large as its row lets it. */
  #isTooMuch({ uid, user, neighbours }: WaitingBody): boolean {
    const { bytes } = this.rules;
    if (this.#all.size > 1 && this.#bytes > bytes) return true;
    if (uid !== '' && user.count > 1 && user.bytes > bytes * USER_SHARE) return true;
    return neighbours.count > 1 && neighbours.bytes > bytes * ADDRESS_SHARE;
  }

  #look(): void {
    // Not the platform's clock, which may be set while a body is coming
    const now = performance.now();
    for (const body of this.#all) if (this.#isTooSlow(body, now)) this.refuse(body, tooSlow);
    if (this.#all.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #isTooSlow({ since, size }: WaitingBody, now: number): boolean {
    const { graceMs, leastBytesPerS } = this.rules;
    return now - since > graceMs + (size / leastBytesPerS) * 1_000;
  }
}

const shareOf = (shares: ReadonlyMap<string, Share>, name: string): Share =>
  shares.get(name) ?? { count: 0, bytes: 0 };

const tooManyBodies = overloaded(RETRY_AFTER_S, 'Too many bodies are being sent by you or from your address');
const tooManyBytes = overloaded(RETRY_AFTER_S, 'Too many large bodies are being sent; try again soon');
const tooSlow = new Rejected('too_slow', 'request_timeout', 'The body came too slowly; send it again');
