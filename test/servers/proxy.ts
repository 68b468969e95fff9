import { createServer, connect as dial, type Socket } from 'node:net';
import { once } from 'node:events';

/** Something between a client and a server that can cut the line. */
export type Proxy = {
  readonly port: number;
  /**
   * Ends every connection and refuses new ones until `mend`. With `after`: once that many more bytes have
   * come from clients.
   */
  cut(after?: number): void;
  mend(): void;
  close(): Promise<void>;
};

/** Listens on a free port of 127.0.0.1 and passes everything on to `host:port`, and back. */
export async function proxy(host: string, port: number): Promise<Proxy> {
  const open = new Set<Socket>();
  let left = Infinity;
  const hold = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
  };
  const end = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer(client => {
    hold(client);
    if (left <= 0) {
      client.destroy();
      return;
    }
    const server = hold(dial(port, host));
    client.on('data', (data: Buffer) => {
      server.write(data.subarray(0, Math.max(0, left)));
      left -= data.length;
      if (left <= 0) setTimeout(end, 20);
    });
    server.on('data', data => client.write(data));
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    cut(after = 0) {
      left = after;
      if (after === 0) end();
    },
    mend() {
      left = Infinity;
    },
    async close() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
