import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Failure } from './failures.js';

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** The sending side of one read call: waits while the connection is full, stops when it ends. */
export class Outlet {
  closed = false;
  private wakers: (() => void)[] = [];
  private drained: (() => void)[] = [];

  constructor(private readonly call: ReadCall) {
    call.on('cancelled', () => {
      this.closed = true;
      this.wake();
      this.drain();
    });
    call.on('drain', () => this.drain());
  }

  /** Sends, and waits while the connection takes no more. */
  async write(message: streams.ReadResp): Promise<void> {
    if (!this.send(message)) await this.whenDrained();
  }

  /** Sends without waiting; false: the connection does not take more at once. */
  send(message: streams.ReadResp): boolean {
    return this.closed || this.call.write(message);
  }

  async whenDrained(): Promise<void> {
    if (!this.closed && this.call.writableNeedDrain)
      await new Promise<void>(resolve => this.drained.push(resolve));
  }

  /** Resolves at the next `wake`, or when the call ends. */
  async untilWoken(): Promise<void> {
    if (!this.closed) await new Promise<void>(resolve => this.wakers.push(resolve));
  }

  readonly wake = (): void => {
    for (const resolve of this.wakers.splice(0)) resolve();
  };

  fail(error: Failure): void {
    if (this.closed) return;
    this.closed = true;
    this.call.emit('error', error);
  }

  end(): void {
    if (!this.closed) this.call.end();
  }

  private drain(): void {
    for (const resolve of this.drained.splice(0)) resolve();
  }
}
