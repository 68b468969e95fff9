import { listenMetrics, type MetricsServer } from '../adapters/metrics/listen.js';
import type { Platform } from '../main.js';
import { versionOf } from './version.js';

/** Answers `/metrics` where it is configured to; null: nowhere. Rejects when the port is taken. */
export async function serveMetrics({ config, log, metrics }: Platform): Promise<MetricsServer | null> {
  if (!metrics) return null;
  const { service, commit } = versionOf();
  const version = service.split(' ').at(-1)!;
  metrics.show([
    {
      name: 'presage_build_info',
      help: 'Always 1; which program this is',
      label: 'version',
      look: async () => [[`${version} ${commit.slice(0, 12)}`, 1]],
    },
  ]);
  return listenMetrics(metrics, config.METRICS_LISTEN, log);
}
