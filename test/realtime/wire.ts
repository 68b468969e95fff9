import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '../platform.js';

export type WireFrame = { readonly opcode: number; readonly payload: Buffer };
type Sent = {
  readonly opcode: number;
  readonly payload?: Buffer | string;
  readonly fin?: boolean;
  readonly reserved?: number;
  readonly masked?: boolean;
};

/** A frame of a client as RFC 6455 has it, or has it not. */
export function frame({ opcode, payload = '', fin = true, reserved = 0, masked = true }: Sent): Buffer {
  const data = Buffer.from(payload);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const bit = masked ? 0x80 : 0;
  const head = Buffer.alloc(14);
  head[0] = first;
  let size = 2;
  if (data.length < 126) head[1] = bit | data.length;
  else if (data.length < 65_536) {
    head[1] = bit | 126;
    size = head.writeUInt16BE(data.length, 2);
  } else {
    head[1] = bit | 127;
    size = head.writeBigUInt64BE(BigInt(data.length), 2);
  }
  const body = masked ? data.map((byte, i) => byte ^ mask[i % 4]!) : data;
  return Buffer.concat([head.subarray(0, size), mask, body]);
}

/** A connection to the gateway on which every byte is ours. */
export async function wire(base: string, token: string) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay();
  const frames: WireFrame[] = [];
  let rest = Buffer.alloc(0);
  let isOpen = false;
  let isGone = false;
  socket.on('error', () => undefined);
  socket.on('close', () => (isGone = true));
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk]);
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      isOpen = rest.toString('latin1').startsWith('HTTP/1.1 101 ');
      rest = rest.subarray(end + 4);
    }
    for (let taken = first(rest); taken; taken = first(rest)) {
      frames.push(taken.frame);
      rest = rest.subarray(taken.size);
    }
  });
  const headers = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', `Authorization: Bearer ${token}`];
  const keys = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`];
  socket.write(['GET /v1/ws HTTP/1.1', ...headers, ...keys, '\r\n'].join('\r\n'));
  await until(async () => frames.length > 0, 'welcome');
  const codes = () => frames.filter(({ opcode }) => opcode === 8);
  return {
    write: (bytes: Buffer) => socket.write(bytes),
    /** All but the welcome. */
    frames: () => frames.slice(1),
    /** Frames of text as JSON, of those that came behind the welcome. */
    json: () =>
      frames
        .slice(1)
        .filter(({ opcode }) => opcode === 1)
        .map(({ payload }) => JSON.parse(String(payload)) as Record<string, unknown>),
    isGone: () => isGone,
    /** The code of the server's closing frame, when the connection is gone; null: it sent none. */
    async code(): Promise<number | null> {
      await until(async () => isGone, 'the end of the connection');
      const [closing] = codes();
      if (!closing) return null;
      return closing.payload.length < 2 ? 1005 : closing.payload.readUInt16BE(0);
    },
    /** Says that nothing more comes. */
    finish: () => socket.end(),
    end: () => socket.destroy(),
  };
}
export type Wire = Awaited<ReturnType<typeof wire>>;

/** The first whole frame of a server, which masks none. */
function first(bytes: Buffer): { readonly frame: WireFrame; readonly size: number } | null {
  if (bytes.length < 2) return null;
  let length = bytes[1]! & 0x7f;
  let head = 2;
  if (length === 126) {
    if (bytes.length < 4) return null;
    length = bytes.readUInt16BE(2);
    head = 4;
  }
  if (bytes.length < head + length) return null;
  return {
    frame: { opcode: bytes[0]! & 0x0f, payload: bytes.subarray(head, head + length) },
    size: head + length,
  };
}
