import type { Config } from '../config.js';

/** Where to reach a server that listens on `host` and `port`, from the same machine. */
export function baseUrl(host: string, port: number): string {
  const reachable = fromHere[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Where a server that listens on all addresses is reached. */
const fromHere: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where others reach this platform. */
export type Address = {
  /** Without a slash at its end. */
  readonly url: () => string;
  /** Told where this process listens; what `PUBLIC_URL` says stands above it. */
  readonly listens: (base: string) => void;
};

export function addressOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): Address {
  let url = PUBLIC_URL || baseUrl(HOST, PORT);
  return {
    url: () => url,
    listens(base) {
      if (!PUBLIC_URL) url = base;
    },
  };
}
