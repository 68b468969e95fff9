import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A command as it came from the client, without the documents that follow it in sections of their own. */
export type Seen = Document & { readonly $db: string };
export type ReplicaSet = {
  readonly url: string;
  /** All commands since the start, in order, without those of the driver's own upkeep. */
  readonly seen: Seen[];
  /** Answers a command itself instead of passing it on; null: passes it on. */
  answer: (command: Seen) => Document | null;
  close(): Promise<void>;
};

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const UPKEEP = new Set(['hello', 'ismaster', 'isMaster', 'endSessions', 'ping']);
const TRANSACTION = new Set(['commitTransaction', 'abortTransaction', 'endSessions']);
/** Members that a server without sessions would refuse. */
const SESSION = ['lsid', 'txnNumber', 'startTransaction', 'autocommit', '$clusterTime'];

/**
 * A line to a server, on which the server looks like the primary of a replica set, so that the driver speaks
 * to it in sessions and transactions. It shows what is sent; it takes nothing back: what an aborted
 * transaction wrote stays.
 */
export async function replicaSet(host: string, port: number): Promise<ReplicaSet> {
  const open = new Set<Socket>();
  const hellos = new Set<number>();
  const server = createServer(client => {
    const target = dial(port, host);
    for (const socket of [client, target]) open.add(socket.on('error', () => socket.destroy()));
    messages(client, message => {
      const answered = request(message);
      if (answered) client.write(answered);
      else target.write(rewritten(message));
    });
    messages(target, message =>
      client.write(hellos.delete(message.readInt32LE(8)) ? introduced(message) : message),
    );
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const self = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const set: ReplicaSet = {
    url: `mongodb://${self}/?replicaSet=rs0`,
    seen: [],
    answer: () => null,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  /** What is answered here; null: what goes on to the server. */
  function request(message: Buffer): Buffer | null {
    const command = bodyOf(message);
    const name = nameOf(command);
    if (/^(hello|ismaster)$/i.test(name)) hellos.add(message.readInt32LE(4));
    if (!UPKEEP.has(name)) set.seen.push(command);
    const answer = set.answer(command) ?? (TRANSACTION.has(name) ? { ok: 1 } : null);
    return answer && reply(message.readInt32LE(4), answer);
  }

  /** The server's word on itself, as a primary would say it. */
  function introduced(message: Buffer): Buffer {
    const at = message.readInt32LE(12) === OP_REPLY ? 36 : 21;
    const hello = {
      ...read(message.subarray(at)),
      ok: 1,
      setName: 'rs0',
      setVersion: 1,
      hosts: [self],
      primary: self,
      me: self,
      secondary: false,
      ismaster: true,
      isWritablePrimary: true,
      logicalSessionTimeoutMinutes: 30,
    };
    return sized(Buffer.concat([message.subarray(0, at), BSON.serialize(hello)]));
  }
  return set;
}

/** Cuts the bytes of a socket into whole messages. */
function messages(socket: Socket, each: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      each(message);
    }
  });
}

const read = (bytes: Buffer): Document =>
  BSON.deserialize(bytes.subarray(0, bytes.readInt32LE(0)), { promoteValues: false, promoteLongs: false });
const nameOf = (command: Document): string => Object.keys(command)[0]!;

/**
 * Where the command's own document starts: behind the flags, or behind the name of the queried collection.
 */
function startOf(message: Buffer): number {
  if (message.readInt32LE(12) === OP_QUERY) return message.indexOf(0, 20) + 9;
  let at = 20;
  while (message[at] === 1) at += 1 + message.readInt32LE(at + 1);
  return at + 1;
}
const bodyOf = (message: Buffer): Seen => read(message.subarray(startOf(message))) as Seen;

/** The message as a server without sessions takes it. */
function rewritten(message: Buffer): Buffer {
  const at = startOf(message);
  const body = bodyOf(message);
  for (const name of SESSION) delete body[name];
  const { hello, ...rest } = body;
  const taken = hello === undefined ? body : { ismaster: 1, ...rest };
  const end = at + message.readInt32LE(at);
  return sized(Buffer.concat([message.subarray(0, at), BSON.serialize(taken), message.subarray(end)]));
}

function sized(message: Buffer): Buffer {
  message.writeInt32LE(message.length, 0);
  return message;
}

function reply(to: number, answer: Document): Buffer {
  const head = Buffer.alloc(21);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(OP_MSG, 12);
  return sized(Buffer.concat([head, BSON.serialize(answer)]));
}
