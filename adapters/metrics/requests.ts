import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Watcher } from '../watcher.js';
import { timer } from './timing.js';

/** As OpenTelemetry's conventions have them, and below for what is answered from memory. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Whatever else a client sends is one method: nobody shall make labels at will. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and times requests, by row and never by path; and refusals, by limit. */
export function watchedRequests(registry: Registry): Watcher['request'] {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time of a request from its headers to the end of its answer',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: BUCKETS,
    registers,
  });
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests under way',
    registers,
  });
  const refusals = new Counter({
    name: 'presage_rate_limit_refusals_total',
    help: 'Requests that were refused with 429, by limit',
    labelNames: ['policy'],
    registers,
  });
  return async (request, answer) => {
    const end = (seconds: number): void => {
      active.dec();
      durations.observe(
        {
          http_request_method: METHODS.has(request.method) ? request.method : '_OTHER',
          http_route: request.route,
          http_response_status_code: request.status,
        },
        seconds,
      );
      if (request.limitedBy !== null) refusals.inc({ policy: request.limitedBy });
    };
    const time = timer(
      (_, __, seconds) => end(seconds),
      () => 'error',
    );
    active.inc();
    return time('request', answer);
  };
}
