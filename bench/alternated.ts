import { cpuOf, median, type Server } from './common.js';
import { load, type requestOf } from './load.js';

export type Target = {
  readonly name: string;
  readonly server: Server;
  readonly next: () => ReturnType<typeof requestOf>;
};
/** Medians of the rounds: requests a second, that as a share of the first target's in the same round,
 *  the 99th percentile in ms, and processor time of a request in microseconds. */
export type Figures = {
  readonly name: string;
  readonly rate: number;
  readonly against: number;
  readonly p99: number;
  readonly cpu: number;
};

/**
 * Loads the servers in turns, each held still while another is measured, and stops them. The first is what
 * the others are compared with. `seconds` of a round, `warmUp` seconds before the first one.
 */
export async function alternated(
  targets: readonly Target[],
  by: {
    readonly rounds: number;
    readonly seconds: number;
    readonly warmUp: number;
    readonly connections: number;
  },
): Promise<readonly Figures[]> {
  const { connections, seconds } = by;
  const rounds = targets.map(() => [] as { rate: number; cpu: number; p99: number }[]);
  for (const { server, next } of targets) {
    await load({ port: server.port, connections, seconds: by.warmUp, next });
    server.pause();
  }
  for (let round = 0; round < by.rounds; round++)
    for (const [i, { server, next }] of targets.entries()) {
      server.resume();
      const before = cpuOf(server);
      const { rate, count, p99 } = await load({ port: server.port, connections, seconds, next });
      rounds[i]!.push({ rate, p99, cpu: (cpuOf(server) - before) / count });
      server.pause();
    }
  for (const { server } of targets) await server.stop();
  return targets.map(({ name }, i) => ({
    name,
    rate: median(rounds[i]!.map(round => round.rate)),
    against: median(rounds[i]!.map(({ rate }, nth) => rate / rounds[0]![nth]!.rate)),
    p99: median(rounds[i]!.map(round => round.p99)),
    cpu: median(rounds[i]!.map(round => round.cpu)),
  }));
}
