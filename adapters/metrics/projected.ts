import { Counter, type Registry } from 'prom-client';
import type { Watcher } from '../watcher.js';

/** Counts the facts that each projection of this process took. */
export function projectedIn(registry: Registry): Watcher['projected'] {
  const taken = new Counter({
    name: 'presage_projected_facts_total',
    help: 'Facts that a projection of this process turned into documents',
    labelNames: ['projection'],
    registers: [registry],
  });
  return ({ name }, page) => taken.inc({ projection: name }, page.length);
}
