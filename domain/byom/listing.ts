import { MADE, type MadeModel } from '../models/made.js';
import type { Network } from './report.js';
import { levelsIn, type Format, type Signature } from './signature.js';

/** Its id in the catalogue; the same whenever it is asked for. */
export const uidOf = (byomId: string): string => byomId.replace(/^byo_/, 'mdl_');
/** The model of an id in the catalogue; an id of a model is its own. */
export const byomIdOf = (uid: string): string => uid.replace(/^mdl_/, 'byo_');

type Brought = {
  readonly byomId: string;
  readonly name: string;
  readonly format: Format;
  readonly signature: Signature;
  readonly network: Network;
  /** Epoch ms. */
  readonly registeredAt: number;
};

/** A model that was brought, as what serves models knows them. */
export function hostedOf({ byomId, name, format, signature, network, registeredAt }: Brought): MadeModel {
  const { lookback, horizon } = signature;
  const [input, output] = [signature.inputs[0]!, signature.outputs[0]!];
  const inWords = ({ dtype, shape }: typeof input): string => `${dtype} [${shape.join(', ')}]`;
  return {
    ...{ family: MADE.byom, slug: byomId, name, description: `${name}, brought as ${format}` },
    ...{ vendor: 'workspace', licence: 'own', commercialUse: true, parameters: 0 },
    tasks: ['forecast'],
    ...{ maxContext: lookback, maxHorizon: horizon, quantiles: levelsIn(signature), covariates: 'none' },
    ...{ releasedAt: registeredAt, listedAt: registeredAt, paperUrl: null },
    ...{ sha256: network.sha256, bytes: network.bytes, version: network.sha256.slice(0, 12) },
    inputs: { [input.name]: inWords(input) },
    outputs: { [output.name]: inWords(output) },
    ...{ graph: network.graph, benchmarks: null },
    ...{ recommended: false, deprecatedAt: null, replacement: null },
    ...{ blueprintUid: uidOf(byomId), trainingId: null },
  };
}
