import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../commands/ports/log.js';
import type { Metrics } from './metrics.js';

export type MetricsServer = {
  readonly host: string;
  readonly port: number;
  readonly close: () => Promise<void>;
};

/**
 * Answers `GET /metrics`, and nothing else, on an address of its own (`host:port`; port 0: a free one), so
 * that a process without the API can be asked, too. Needs no token: whoever reaches the address may read.
 * Rejects when the port is taken.
 */
export async function listenMetrics(metrics: Metrics, address: string, log: Log): Promise<MetricsServer> {
  const { hostname, port } = new URL(`http://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const server = createServer((req, res) => {
    if (req.url?.split('?')[0] !== '/metrics') return void plain(res, 404, 'Ask for /metrics\n');
    if (req.method !== 'GET' && req.method !== 'HEAD') return void plain(res, 405, 'This path takes GET\n');
    metrics.text().then(
      text => res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (err: unknown) => {
        log.error({ err }, 'the metrics could not be shown');
        plain(res, 500, 'The metrics could not be shown\n');
      },
    );
  });
  server.listen(Number(port || HTTP_PORT), host);
  await once(server, 'listening');
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a URL leaves out because it goes without saying. */
const HTTP_PORT = 80;

const plain = (res: ServerResponse, status: number, text: string): void => {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
};
