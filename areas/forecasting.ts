import { forecastBy } from '../commands/forecasts/forecast-by.js';
import { replacing } from '../commands/forecasts/replacing.js';
import { standing } from '../commands/forecasts/standing.js';
import { targetOf } from '../commands/forecasts/target-of.js';
import type { ServedModel } from '../domain/goals/model.js';
import { FIRST_PARTY } from '../domain/models/hosted.js';
import type { DeploymentsArea } from './deployments.js';
import type { Histories } from './histories.js';
import type { Kernel } from './kernel.js';

type Ports = {
  readonly deployments: DeploymentsArea;
  readonly histories: Histories;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
};

/** What is asked where a goal's own models do not answer. */
const GENERALIST = { family: FIRST_PARTY, slug: 'nano' };

/** What forecasts goals: their targets, what can forecast them, and asking it. */
export const forecastingOf = (kernel: Kernel, { deployments, histories, isServing }: Ports) => {
  const { clock, compute } = kernel;
  const { served, inPlace, zeroShot, hosted, queries } = deployments;
  const { reads, remembered } = histories;
  return {
    targetOf: targetOf({ reads, clock }),
    forecastBy: forecastBy({ served, zeroShot, compute, remembered }),
    replaced: replacing({ inPlace, deployment: queries.deployment, hosted }),
    standing: standing({ hosted, deployments: queries.living, isServing }),
    async generalist(): Promise<{ readonly model: ServedModel; readonly name: string } | null> {
      const model = isServing ? await hosted.find(GENERALIST) : null;
      if (!model) return null;
      const { version, name } = model;
      return { model: { kind: 'served', promotionId: null, model: { ...GENERALIST, version } }, name };
    },
  };
};
