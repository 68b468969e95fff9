import { pino, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { Config } from '../config.js';
import { withoutSecrets } from '../commands/ports/without-secrets.js';

const hidden = ['token', 'authorization', 'password', 'secret', 'hash'].flatMap(name => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

const STDERR = 2;

/**
 * The log: one JSON line each, or coloured lines where people read it in a terminal. It goes to stderr, so
 * that what a command answers has stdout to itself. Secrets are cut out of every line, whatever they came in
 * with.
 */
export function createLog({ LOG_LEVEL, LOG_FORMAT }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger {
  const pretty = LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stderr.isTTY);
  const out = pretty
    ? PinoPretty({
        destination: STDERR,
        sync: true,
        colorize: process.stderr.isTTY,
        ignore: 'pid',
        singleLine: true,
        translateTime: 'SYS:HH:MM:ss.l',
      })
    : pino.destination({ dest: STDERR, sync: true });
  // Whoever reads the log may leave; the platform stays
  out.on('error', () => undefined);
  return pino(
    {
      level: LOG_LEVEL,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: hidden, censor: '***' },
      hooks: { streamWrite: withoutSecrets },
    },
    out,
  );
}
