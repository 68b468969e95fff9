import { Counter, type Registry } from 'prom-client';

/** Counts the facts that each projection of this process took. */
export function projectedIn(registry: Registry): (projection: string, facts: number) => void {
  const taken = new Counter({
    name: 'presage_projected_facts_total',
    help: 'Facts that a projection of this process turned into documents',
    labelNames: ['projection'],
    registers: [registry],
  });
  return (projection, facts) => taken.inc({ projection }, facts);
}
