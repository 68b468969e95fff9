import { join } from 'node:path';
import { baseUrl } from '../areas/address.js';
import { defaultLimits, type LimitTable } from '../api/edge/limits.js';
import { listen, type Listening } from '../api/edge/listen.js';
import { createServer } from '../api/edge/server.js';
import { cellsOf, type Config } from '../config.js';
import type { Platform } from '../main.js';
import { readiness } from './readiness.js';
import { versionOf } from './version.js';

/** The API of a platform, listening where it is configured to. Rejects when the port is taken. */
export async function serveHttp(platform: Platform): Promise<Listening> {
  const { config, log } = platform;
  const { app, door } = createServer({
    rows: platform.rows,
    identity: platform.areas.identity.directory,
    kv: platform.stores.kv,
    clock: platform.clock,
    log,
    version: versionOf(),
    checks: () => readiness(platform),
    used: platform.areas.identity.lastUses.note,
    ...(platform.watcher && { observer: platform.watcher }),
    building: platform.unserved,
    config: {
      cell: config.CELL,
      cells: cellsOf(config),
      trustedProxies: config.TRUSTED_PROXIES,
      bodyLimit: config.BODY_LIMIT_BYTES,
      publicProbe: config.PUBLIC_PROBE,
      maxInFlight: config.MAX_IN_FLIGHT,
      bodies: { bytes: config.BODIES_WAITING_BYTES },
      uploads: join(config.DATA_DIR, 'uploads'),
      limits: limitsOf(config),
      corsOrigins: config.CORS_ORIGINS.split(',')
        .map(origin => origin.trim())
        .filter(origin => origin !== ''),
    },
  });
  const upgrades = await platform.areas.realtime.open(door);
  const streams = await platform.areas.notifications.open(door);
  try {
    const listening = await listen(app, config.HOST, config.PORT, upgrades);
    platform.address.listens(baseUrl(listening.host, listening.port));
    return {
      ...listening,
      async close(...within) {
        // They do not end by themselves
        await streams.close();
        await listening.close(...within);
      },
    };
  } catch (error) {
    await Promise.all([streams.close(), upgrades.close()]);
    throw error;
  }
}

const limitsOf = (config: Config): Partial<LimitTable> => ({
  default: { ...defaultLimits.default, limit: config.RATE_DEFAULT },
  push: { ...defaultLimits.push, limit: config.RATE_PUSH },
  'push-points': { ...defaultLimits['push-points'], limit: config.RATE_PUSH_POINTS },
  'push-bytes': { ...defaultLimits['push-bytes'], limit: config.RATE_PUSH_BYTES },
  webhook: { ...defaultLimits.webhook, limit: config.RATE_WEBHOOK },
  heavy: { ...defaultLimits.heavy, limit: config.RATE_HEAVY },
  upload: { ...defaultLimits.upload, limit: config.RATE_UPLOAD },
  inference: { ...defaultLimits.inference, limit: config.RATE_INFERENCE },
  auth: { ...defaultLimits.auth, limit: config.RATE_AUTH },
});
