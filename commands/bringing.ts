import { SERVED, type Status } from '../domain/deployments/state.js';
import type { HostedModel } from '../domain/models/hosted.js';
import type { DeploymentCommands, KeptDeployment } from './deployments.js';
import type { Context } from './engine/handle.js';
import type { Probing } from './probing.js';
import type { ServingPool } from './serving-pool.js';

export type Bringing = {
  /** Null where serving is switched off. */
  readonly pool: ServingPool | null;
  readonly probes: Probing | null;
  readonly commands: Pick<DeploymentCommands, 'keep' | 'wake'>;
  readonly visible: (position: number | null) => Promise<void>;
  readonly clock: () => number;
  readonly newId: () => string;
};
type Known = { readonly _id: string; readonly workspace: string; readonly status: Status };

/** So long a request waits for a deployment to become ready; then it is told to come back. */
const READY_WITHIN_MS = 5_000;

/** Deployments come into service and leave it within a request, where that goes quickly. */
export function bringing({ pool, probes, commands, visible, clock, newId }: Bringing) {
  /**
   * Lets a deployment that is `deploying` be deployed by a forward pass, when there is one within a bounded
   * time. Answers whether; what else comes of it is for the scheduler.
   */
  async function bringUp(
    { workspace, promotionId }: { readonly workspace: string; readonly promotionId: string },
    model: HostedModel,
    context: Context,
  ): Promise<boolean> {
    const probe = await probes?.probe(model, READY_WITHIN_MS, false);
    if (!probe?.ok) return false;
    const data = { workspace, promotionId, tookMs: probe.tookMs };
    const confirm = { type: 'ConfirmDeployed', data } as const;
    const { position, after } = await commands.keep(confirm, { ...context, at: clock() });
    await visible(position);
    return after.current?.promotionId === promotionId && SERVED.includes(after.current.status);
  }

  /** Those that are being woken here: who comes meanwhile waits with the first. */
  const waking = new Map<string, Promise<boolean>>();

  function woken(deployment: Known, model: HostedModel): Promise<boolean> {
    const { _id: promotionId } = deployment;
    const known = waking.get(promotionId);
    if (known) return known;
    const under = wake(deployment, model).finally(() => waking.delete(promotionId));
    waking.set(promotionId, under);
    return under;
  }

  async function wake(deployment: Known, model: HostedModel): Promise<boolean> {
    const { workspace, _id: promotionId } = deployment;
    const context: Context = {
      ...{ workspace, actor: 'reactor:serving', request: null, correlation: newId(), causation: null },
      at: clock(),
    };
    await visible((await commands.wake(workspace, promotionId, context)).position);
    return bringUp({ workspace, promotionId }, model, context);
  }

  /**
   * What was taken out of service is retired at once where no call of it is under way; null: there is one.
   */
  async function retireIdle(
    { workspace, promotionId }: { readonly workspace: string; readonly promotionId: string },
    context: Context,
  ): Promise<KeptDeployment | null> {
    if (pool && (await pool.figures(promotionId)).inFlight > 0) return null;
    const data = { workspace, promotionId };
    return commands.keep({ type: 'RetireDeployment', data }, context);
  }

  const mayWake = ({ _id, status }: Known): boolean =>
    status === 'sleeping' || (status === 'deploying' && waking.has(_id));

  return { bringUp, retireIdle, mayWake, woken };
}
