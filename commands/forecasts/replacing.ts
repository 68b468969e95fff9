import type { InPlace } from '../../domain/deployments/served.js';
import type { ServedModel, SingleModel } from '../../domain/goals/model.js';
import type { Replaced } from '../../domain/goals/ports.js';
import type { Warning } from '../../domain/inference/forecasting.js';
import type { HostedModels } from '../../domain/models/hosted.js';
import type { KnownDeployment } from '../serving.js';

export type ReplacingDeps = {
  readonly inPlace: InPlace;
  /** Of a workspace; null: it has none with this id. */
  readonly deployment: (workspace: string, promotionId: string) => Promise<KnownDeployment | null>;
  readonly hosted: Pick<HostedModels, 'find'>;
};
type Instead = { readonly model: ServedModel; readonly name: string; readonly warning: Warning };

/** Who forecasts where a goal names deployments that are retired by now. See `Replaced`. */
export const replacing =
  (deps: ReplacingDeps): Replaced =>
  async (workspace, { model, name }) => {
    if (model.kind !== 'ensemble') {
      const instead = await insteadOf(deps, workspace, model);
      return instead ? { ...instead, warnings: [instead.warning] } : { model, name, warnings: [] };
    }
    const members = await Promise.all(
      model.members.map(async member => ({
        member,
        instead: await insteadOf(deps, workspace, member.model),
      })),
    );
    return {
      model: {
        kind: 'ensemble',
        members: members.map(({ member: { model: own, weight }, instead }) => ({
          ...{ model: instead?.model ?? own, weight },
        })),
      },
      name,
      warnings: members.flatMap(({ instead }) => (instead ? [instead.warning] : [])),
    };
  };

/** Null: it is not retired, nobody took its place, or what did is not here any more. */
async function insteadOf(
  { inPlace, deployment, hosted }: ReplacingDeps,
  workspace: string,
  model: SingleModel,
): Promise<Instead | null> {
  if (model.kind !== 'served' || model.promotionId === null) return null;
  const promotionId = await inPlace(workspace, model.promotionId);
  if (promotionId === model.promotionId) return null;
  const found = await deployment(workspace, promotionId);
  const serves = found && (await hosted.find(found));
  if (!serves) return null;
  const { family, slug, version, name } = serves;
  return {
    ...{ model: { kind: 'served', promotionId, model: { family, slug, version } }, name },
    warning: {
      code: 'champion_replaced',
      message: `The deployment ${model.promotionId} is retired; its replacement ${promotionId} forecasts`,
    },
  };
}
