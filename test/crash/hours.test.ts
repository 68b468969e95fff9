import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { ledgerCommands } from '../../commands/billing.js';
import { togetherOn } from '../../commands/engine/together.js';
import { builtInPlans, planIn, termsOf } from '../../domain/billing/plans.js';
import { builtInRates } from '../../domain/billing/rates.js';
import type { LedgerFact } from '../../domain/billing/facts.js';
import { START } from '../../domain/fact.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { ledgerQueries } from '../../projections/billing/queries.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import type { Running } from '../../workers/engine/follow.js';
import { renewing } from '../../workers/renewing.js';
import { replicaHours } from '../../workers/replica-hours.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { Deaths, embeddedDisk, memoryDisk, type Disk } from './deaths.js';

const ORGANIZATION = 'org_1';
const terms = termsOf(builtInPlans, planIn(builtInPlans, 'free')!);
const deployment = { _id: 'prm_1', workspace: 'w', status: 'deployed', replicas_min: 3 } as DeploymentDoc;

/** What goes on, one after the other: when, and how many replicas are ready. */
const steps = [
  ['2026-01-31T22:10:00Z', 3],
  ['2026-01-31T22:50:00Z', 3],
  ['2026-01-31T23:05:00Z', 2],
  ['2026-02-01T00:10:00Z', 3],
  ['2026-04-02T01:00:00Z', 1],
  ['2026-04-02T05:00:00Z', 2],
] as const;
/** What comes of it: the month of each grant, and up to when which replica is paid. */
const grants = ['2026-01', '2026-02', '2026-03', '2026-04'];
const paid = ['31T23 2', '31T23 3', '01T00 2', '01T01 2', '01T01 3', '02T06 2'];

/** One round of something that goes on for ever: until it has taken the last of the pages it asks for. */
async function once<T>(all: readonly T[], start: (pages: () => AsyncIterable<T>) => Running): Promise<void> {
  let done = (): void => undefined;
  const ended = new Promise<void>(resolve => {
    done = resolve;
  });
  const running = start(async function* () {
    try {
      yield* all;
    } finally {
      done();
    }
  });
  await ended;
  await running.stop();
}

/** Does all steps in processes that die as planned, each step until no process dies of it. */
async function lives(disk: Disk, plan: readonly number[]) {
  const deaths = new Deaths(plan);
  deaths.begin();
  for (const [time, ready] of steps)
    for (let done = false; !done; ) {
      await step(disk, deaths, Date.parse(time), ready).catch(() => undefined);
      await disk.fail();
      done = !deaths.dead;
      if (done) continue;
      deaths.count++;
      deaths.begin();
    }
  const { events } = disk.open(() => undefined);
  const facts = (await events.page(START, 1_000)) as unknown as readonly LedgerFact[];
  await disk.remove();
  return { facts, points: deaths.points, died: deaths.count };
}

async function step(disk: Disk, deaths: Deaths, now: number, ready: number): Promise<void> {
  const opened = disk.open(deaths.before);
  const [events, models] = [deaths.events(opened.events), deaths.models(opened.models)];
  await models.prepare(collectionsOf(billingProjection, 0));
  const project = async (): Promise<void> => {
    const from = await models.checkpoint(checkpointName(billingProjection, 0));
    const page = await events.page(from, 100);
    if (page.length > 0) await applyPage(billingProjection, models, 0, page);
  };
  const queries = ledgerQueries(reader(models, billingProjection, () => 0));
  const together = togetherOn({ store: events, newId: randomUUID, shared: false });
  const ledger = ledgerCommands({ together, known: queries.known, terms });
  const means = { clock: () => now, newId: randomUUID, log: quiet };
  const meta = { workspace: null, actor: 'operator', request: null, correlation: 'c', causation: null };
  await project();
  await ledger.open(ORGANIZATION, { ...meta, at: now });
  await project();
  const due: { readonly _id: string }[][] = [];
  for await (const page of queries.ungranted(new Date(now).toISOString().slice(0, 7))) due.push([...page]);
  await once(due, ungranted =>
    renewing({ queries: { ungranted } as never, commands: ledger, plans: builtInPlans, ...means }),
  );
  await once([[deployment]], larger =>
    replicaHours({
      queries: { larger, rests: async () => false } as never,
      deployments: { keep: () => Promise.reject(new Error('there are credits')) },
      ...{ ledger, organizationOf: async () => ORGANIZATION, pool: { ready: () => ready } },
      ...{ rates: builtInRates, ...means },
    }),
  );
  await project();
}

const granted = (facts: readonly LedgerFact[]) =>
  facts.flatMap(({ type, data }) => {
    if (type === 'LedgerOpened') return data.period;
    return type === 'CreditsGranted' ? data.period! : [];
  });
const charged = (facts: readonly LedgerFact[]) =>
  facts.flatMap(({ type, data }) => {
    if (type !== 'CreditsCharged') return [];
    const { meter, upTo } = data.metered!;
    return `${new Date(upTo).toISOString().slice(8, 13)} ${meter.split('/')[1]}`;
  });

for (const [name, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`months and hours killed at any write (${name})`, test => {
    test('each is granted for and paid for once', async () => {
      const calm = await lives(disk(), []);
      assert.is(calm.died, 0);
      assert.equal([granted(calm.facts), charged(calm.facts)], [grants, paid]);
      for (let n = 0; n < calm.points; n++) {
        const killed = await lives(disk(), [n, n % 5, n % 3]);
        assert.ok(killed.died > 0, `a death at ${n}`);
        assert.equal([granted(killed.facts), charged(killed.facts)], [grants, paid], `a death at ${n}`);
      }
    });
  });
