import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { HostedModel } from '../../domain/models/hosted.js';
import type { TrainedModel } from '../../domain/models/trained.js';
import type { Servable } from '../../domain/trainings/facts.js';
import type { BacktestPoint, Report } from '../../domain/trainings/report.js';
import type { Contents } from '../ports/contents.js';

const unzip = promisify(gunzip);

/** A report as it is kept: its points stand in a file of their own. */
export type ReportHead = Omit<Report, 'backtest'>;

/** What trainings made, each on a shelf of its own (its id). @throws ContentLost */
export const trainingFiles = (contents: Pick<Contents, 'get' | 'put'>) => {
  const json = async (shelf: string, sha256: string): Promise<unknown> =>
    JSON.parse((await unzip(await contents.get(shelf, sha256))).toString());
  return {
    head: async (trainingId: string, sha256: string): Promise<ReportHead> =>
      (await json(trainingId, sha256)) as ReportHead,
    points: async (trainingId: string, sha256: string): Promise<readonly BacktestPoint[]> =>
      (await json(trainingId, sha256)) as readonly BacktestPoint[],
    model: async (trainingId: string, sha256: string): Promise<TrainedModel> =>
      (await json(trainingId, sha256)) as TrainedModel,
    /** Keeps bytes; answers their name. */
    put: async (trainingId: string, bytes: Uint8Array): Promise<string> =>
      (await contents.put(trainingId, bytes)).sha256,
  };
};
export type TrainingFiles = ReturnType<typeof trainingFiles>;

/** A model that was trained here, as serving knows models. */
export const hostedOf = (
  about: {
    readonly family: 'trained' | 'adapter';
    readonly slug: string;
    readonly name: string;
    readonly description: string;
    readonly licence: string;
    readonly commercialUse: boolean;
    readonly parameters: number;
    readonly listedAt: number;
  },
  trained: TrainedModel,
  { sha256, bytes, version }: Servable,
): HostedModel => ({
  ...about,
  vendor: 'trained here',
  tasks: ['forecast'],
  maxContext: trained.lookback,
  maxHorizon: trained.horizon,
  quantiles: trained.levels,
  covariates: trained.covariates.length > 0 ? 'both' : 'none',
  releasedAt: about.listedAt,
  paperUrl: null,
  ...{ sha256, bytes, version },
  inputs: {},
  outputs: {},
  graph: null,
  trained,
  benchmarks: null,
  recommended: false,
  deprecatedAt: null,
  replacement: null,
});
