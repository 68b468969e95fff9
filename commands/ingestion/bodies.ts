import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { DELIVERIES_SHOWN_FOR } from '../../domain/ingestion/forgetting.js';
import { randomText } from '../engine/ids.js';
import type { KeyValue } from '../ports/key-value.js';
import type { Log } from '../ports/log.js';
import type { Vault } from '../ports/vault.js';

/** Larger bodies are not kept. */
export const MOST_KEPT = 1_000_000;

/** Bodies that come within so long are kept together, up to so many bytes of them. */
const TOGETHER_MS = 50;
const TOGETHER_BYTES = 1_000_000;
/** Where so many bytes wait for a slow store, further bodies are not kept. */
const MOST_WAITING = 64_000_000;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/** Bodies of one workspace that wait to be kept. */
type Waiting = {
  readonly name: string;
  readonly workspace: string;
  readonly bodies: Buffer[];
  bytes: number;
  timer: NodeJS.Timeout;
};
type Deps = {
  readonly kv: KeyValue;
  readonly vault: Pick<Vault, 'key'>;
  readonly clock: () => number;
  readonly log: Log;
};
export type Bodies = ReturnType<typeof bodiesOf>;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Bodies of deliveries, for seven days: sealed under the key of their workspace, beside the read models,
 * where they may be lost. Many are kept in one entry, for each entry is a write of its own.
 */
export function bodiesOf({ kv, vault, clock, log }: Deps) {
  const open = new Map<string, Waiting>();
  const writing = new Set<Promise<void>>();
  let waitingBytes = 0;

  const write = async ({ name, workspace, bodies }: Waiting): Promise<void> => {
    const key = await vault.key(workspace);
    if (!key) return;
    const plain = await deflate(packed(bodies));
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
    const text = [cipher.update(plain), cipher.final()];
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ...text]).toString('base64');
    await kv.set(entryOf(name), sealed, 0, clock() + DELIVERIES_SHOWN_FOR);
  };
  const close = (waiting: Waiting): void => {
    clearTimeout(waiting.timer);
    if (open.get(waiting.workspace) !== waiting) return;
    open.delete(waiting.workspace);
    const written = write(waiting)
      .catch((err: unknown) => log.warn({ err }, 'bodies were not kept'))
      .finally(() => {
        writing.delete(written);
        waitingBytes -= waiting.bytes;
      });
    writing.add(written);
  };
  const begun = (workspace: string): Waiting => {
    const waiting: Waiting = {
      ...{ name: randomText(), workspace, bodies: [], bytes: 0 },
      timer: setTimeout(() => close(waiting), TOGETHER_MS),
    };
    open.set(workspace, waiting);
    return waiting;
  };
  const settled = async (): Promise<void> => {
    for (const waiting of [...open.values()]) close(waiting);
    await Promise.all(writing);
  };

  return {
    /** Keeps a body, soon; answers where it is to be found. Null: it is too large, or too many wait. */
    keep(workspace: string, body: Buffer): string | null {
      if (body.length > MOST_KEPT || waitingBytes + body.length > MOST_WAITING) return null;
      const waiting = open.get(workspace) ?? begun(workspace);
      waiting.bodies.push(body);
      waiting.bytes += body.length;
      waitingBytes += body.length;
      if (waiting.bytes > TOGETHER_BYTES) close(waiting);
      return `${waiting.name}/${waiting.bodies.length - 1}`;
    },
    /** The body at a place, as it came; null: it is not kept, or no longer. */
    async kept(workspace: string, place: string): Promise<Buffer | null> {
      await settled();
      const [name, nth] = place.split('/') as [string, string];
      const [entry, key] = await Promise.all([kv.get<string>(entryOf(name)), vault.key(workspace)]);
      if (!entry || !key) return null;
      const bytes = Buffer.from(entry.value, 'base64');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return unpacked(await inflate(Buffer.concat([decipher.update(text), decipher.final()])), Number(nth));
    },
    /** Writes what waits. */
    close: settled,
  };
}

const entryOf = (name: string): string => `delivery_bodies:${name}`;

/** Each with its length before it. */
function packed(bodies: readonly Buffer[]): Buffer {
  return Buffer.concat(
    bodies.flatMap(body => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(body.length);
      return [length, body];
    }),
  );
}

function unpacked(bytes: Buffer, nth: number): Buffer | null {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const from = at + LENGTH_BYTES;
    const to = from + bytes.readUInt32BE(at);
    if (n === nth) return bytes.subarray(from, to);
    at = to;
  }
  return null;
}
