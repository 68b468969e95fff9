import { setTimeout as pause } from 'node:timers/promises';
import { BadConfiguration, misspelt, readConfig, type Config } from '../config.js';
import { isEmpty, openPlatform, processRoles, type Platform, type ProcessRole } from '../main.js';
import { codes } from './exit.js';
import { serveHttp } from './http.js';
import { jobs } from './jobs/all.js';
import { bootstrapPlatform, defaults } from './jobs/bootstrap.js';
import type { Job } from './jobs/job.js';
import { createLog } from './log.js';
import { serveMetrics } from './metrics.js';
import { serveOperator, type Operator } from './operator.js';
import { configuredBase, embedded, ownerName } from './place.js';
import { aborted, stopSignal } from './signals.js';
import { versionOf } from './version.js';
import { baseUrl } from '../areas/address.js';
import { firstCalls } from './welcome.js';

/** Connections that stay silent for so long after the end was asked for are closed. */
const QUIET_MS = 300;
/** So long a start waits for models to be loaded; then it goes on beside it. */
const WARM_WITHIN_MS = 10_000;

/**
 * Runs the platform, or some roles of it, until SIGINT or SIGTERM; resolves when what was under way is
 * finished and written.
 */
export async function serve(running: readonly ProcessRole[]): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config);
  for (const { name, meant } of misspelt(process.env))
    log.warn({ name, meant }, 'no setting; was another meant?');
  const stop = stopSignal();
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'a fault that nothing handles; the process ends');
    process.exit(codes.fault);
  });
  const missing = processRoles.filter(role => !running.includes(role));
  if (embedded(config) && missing.length > 0) {
    log.warn({ missing }, 'the embedded stores are for one process, and nobody does these parts');
  }

  const platform = await openPlatform({ config, log, running, owner: ownerName('serve') });
  const parts: { close: () => Promise<void> }[] = [];
  try {
    // After a kill the read models are a little behind: who reads first must not miss what was acknowledged
    if (running.includes('api')) await platform.visible(await platform.stores.events.head());
    // So that no first forecast waits for a model
    await Promise.race([platform.warmed, pause(WARM_WITHIN_MS, undefined, { ref: false })]);
    const listening = running.includes('api') ? await named('HOST', config, serveHttp(platform)) : null;
    if (listening) parts.push({ close: () => listening.close(QUIET_MS, config.SHUTDOWN_WITHIN_MS) });
    const metrics = await named('METRICS_LISTEN', config, serveMetrics(platform));
    if (metrics) parts.push(metrics);
    const base = listening ? baseUrl(listening.host, listening.port) : configuredBase(config);
    if (embedded(config)) parts.push(await operator(platform, base));
    log.info(
      { roles: running, ...placeOf(listening), ...(metrics && { metrics: placeOf(metrics) }) },
      'started',
    );
    process.stdout.write(
      listening ? await greeting(platform, base) : `Presage runs: ${running.join(', ')}\n`,
    );
    await aborted(stop);
    log.info({}, 'stopping: requests under way are finished first');
  } finally {
    await Promise.all(parts.map(part => part.close()));
    await platform.stop();
  }
  log.info({}, 'stopped');
}

/** Listening somewhere; a name or address that there is not is a wrong setting. */
async function named<T>(
  setting: 'HOST' | 'METRICS_LISTEN',
  config: Config,
  listening: Promise<T>,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo')) throw error;
    throw new BadConfiguration(`${setting}="${config[setting]}" is not possible: ${error.message}`);
  }
}

const placeOf = (at: { readonly host: string; readonly port: number } | null) =>
  at && { host: at.host, port: at.port };

/** A file system without sockets is no reason not to run: commands then work with the platform stopped. */
async function operator(platform: Platform, base: string): Promise<Operator> {
  const { config, log } = platform;
  try {
    return await serveOperator({
      dataDir: config.DATA_DIR,
      version: versionOf().service,
      jobs: jobs as Readonly<Record<string, () => Promise<Job>>>,
      context: { platform, base },
      log,
    });
  } catch (err) {
    log.warn({ err }, 'no socket for operators: their commands work only while the platform is stopped');
    return { close: async () => undefined };
  }
}

/** What a person sees who starts it; on a first start with the calls to try it, this once. */
async function greeting(platform: Platform, base: string): Promise<string> {
  const where = `Presage listens on ${base} (pid ${process.pid})\n`;
  // As somebody types it who started this with npm
  const presage = process.env['npm_lifecycle_event'] ? 'npm run presage --' : 'presage';
  if (!(await isEmpty(platform)))
    return `${where}For another user, workspace and token: ${presage} bootstrap --email ADDRESS\n`;
  // Several processes may share a server and would each make one
  if (platform.config.EVENTSTORE_URL)
    return `${where}Nobody is here yet. For the first workspace and token: ${presage} bootstrap\n`;
  const installed = await bootstrapPlatform(platform, defaults);
  const made = [
    'A first workspace and its token were made. The token is shown only now.',
    'All of this is for a second terminal; Presage goes on running in this one.',
  ];
  return `${where}${made.join('\n')}\n\n${firstCalls(base, installed)}`;
}
