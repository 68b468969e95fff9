import { inferenceRows } from '../api/inference/rows.js';
import { slotsOf } from '../api/inference/slots.js';
import { actualsSoFar } from '../commands/inference/actuals.js';
import { replay } from '../commands/inference/replay.js';
import type { GoalsAsked } from '../commands/inference/goals.js';
import type { ServingOf } from '../commands/inference/work.js';
import { inferenceRecords } from '../commands/inference/records.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { inferenceQueries } from '../projections/inference/queries.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { grading } from '../workers/grading.js';
import { inferenceWork } from '../workers/inferences.js';
import { settling, type Settling } from '../workers/settling.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { IdentityArea } from './identity.js';
import type { Histories } from './histories.js';
import type { Kernel } from './kernel.js';

type On = {
  readonly identity: IdentityArea;
  readonly deployments: DeploymentsArea;
  readonly histories: Histories;
  /** Asked of goals. */
  readonly goals: GoalsAsked;
  /** Asked of pipelines. */
  readonly servingOf: ServingOf;
  readonly billing: BillingArea;
  /** What became of other work that credits are held for, by its type. */
  readonly became: Settling['became'];
};

/** Grading waits so long for the read models before it fails and begins again. */
const GRADING_WAITS_MS = 5_000;

/** Forecasts and the other tasks of deployed models, each kept, and graded by what came. */
export const inferenceArea = (
  kernel: Kernel,
  { identity, deployments, histories, goals, servingOf, billing, became }: On,
) => {
  const { config, clock, handle, load, log, newId, read, stores, visibleIn } = kernel;
  const { served, inAnyState, inPlace } = deployments;
  const { credits } = billing;
  const records = inferenceRecords(handle, load);
  const queries = inferenceQueries(read(inferenceProjection));
  const { reads, remembered } = histories;
  const work = { served, inPlace, goals, servingOf, reads, remembered };
  const visible = visibleIn(inferenceProjection);
  const caughtUp = async (position: number): Promise<boolean> =>
    (await kernel.caughtUp(signalsProjection, position, GRADING_WAITS_MS))
    && kernel.caughtUp(inferenceProjection, position, GRADING_WAITS_MS);
  return area({
    name: 'inference',
    ...{ queries, records, reads, remembered },
    reactors: [grading({ records, queries, reads, caughtUp, alone: !stores.shared })],
    schedulers: {
      inferences: () => inferenceWork({ ...work, records, queries, credits, clock, newId, visible, log }),
      settling: () =>
        settling({
          ...{ queries: billing.queries, commands: billing.commands, clock, newId, log },
          became: { ...became, inference: records.became },
          alone: !stores.shared,
        }),
    },
    rows: inferenceRows({
      ...{ ...work, records, queries, credits, clock, visible },
      replay: (workspace, record, signal) =>
        replay({ served: inAnyState, goals, store: stores.events }, workspace, record, signal),
      tokenNames: identity.tokenNames,
      actuals: (workspace, record) => actualsSoFar(reads, workspace, record),
      slots: slotsOf(config.INFERENCE_AT_ONCE),
      mostQueued: config.INFERENCE_QUEUED,
    }),
  });
};
export type InferenceArea = ReturnType<typeof inferenceArea>;
