import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { isWanted } from '../../domain/fleets/entities.js';
import type { FleetFact } from '../../domain/fleets/facts.js';
import type { FleetSettings } from '../../domain/fleets/settings.js';
import { Rejected } from '../../domain/rejected.js';
import type { FleetDoc } from '../../projections/fleets/documents.js';
import { notValid } from '../edge/errors.js';
import type { FleetDeps } from './deps.js';
import { plannedFor } from './found.js';

/** @throws Rejected 403 where the plan allows not a single goal more */
export async function mindRoom({ quota }: Pick<FleetDeps, 'quota'>, workspace: string): Promise<void> {
  const { limit, used, plan } = await quota(workspace);
  if (limit === null || used < limit) return;
  throw new Rejected('forbidden', 'plan_limit_reached', `The plan ${plan} allows ${limit} goals`, {
    ...{ limit, used, plan },
  });
}

type Planned = { readonly entities: readonly string[]; readonly room: number | null };
/** @throws Rejected 402 where the tournaments of the goals that are made now may cost more */
export async function mindPrice(
  { activationPrice }: Pick<FleetDeps, 'activationPrice'>,
  workspace: string,
  { entities, room }: Planned,
  most: number | undefined,
): Promise<void> {
  if (most === undefined) return;
  const { amount, ratesVersion } = await activationPrice(workspace);
  const goals = Math.min(entities.length, room ?? Infinity);
  mindMaxCredits({ amount: amount * goals, ratesVersion }, most);
}

/** The same of a change that has goals made; `facts`: what it leads to. */
export async function mindChange(
  deps: FleetDeps,
  { workspace, state }: FleetDoc,
  settings: FleetSettings,
  { facts }: { readonly facts: readonly FleetFact[] },
  most: number,
): Promise<void> {
  const hasGoalsMade = state.work === 'plan' || facts.some(({ type }) => type === 'FleetSyncRequested');
  if (hasGoalsMade)
    await mindPrice(deps, workspace, await plannedFor(deps, workspace, { ...state, settings }), most);
}

const unknown = (loc: readonly (string | number)[], msg: string) => ({
  ...{ loc: ['body', ...loc], msg, type: 'unknown' },
});

/**
 * Whether there is what a fleet is to forecast. One that looks by itself may wait for it.
 * @throws Rejected 422
 */
export async function mindEntities(
  { entities }: Pick<FleetDeps, 'entities'>,
  workspace: string,
  { baseKey, entities: wanted, autoSync }: FleetSettings,
): Promise<void> {
  if (autoSync) return;
  const there = new Set((await entities(workspace, baseKey)).map(({ entity }) => entity));
  if (there.size === 0) throw notValid([unknown(['base_key'], 'there is no signal of an entity of it')]);
  if (Array.isArray(wanted)) {
    const names = wanted as readonly string[];
    const faults = names.flatMap((name, i) =>
      there.has(name) ? [] : [unknown(['entities', i], `there is no signal '${baseKey}__${name}'`)],
    );
    if (faults.length > 0) throw notValid(faults);
  } else if (![...there].some(entity => isWanted(wanted, entity)))
    throw notValid([unknown(['entities', 'pattern'], 'no entity is like it')]);
}
