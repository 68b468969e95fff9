import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ForecasterCaps, ForecasterTask } from '../../domain/maths/forecasting/forecaster.js';
import type { Graph } from '../../domain/models/graph.js';
import { FIRST_PARTY, type Covariates, type FoundationListing } from '../../domain/models/hosted.js';
import { isMade } from '../../domain/models/made.js';
import { Rejected } from '../../domain/rejected.js';
import { manifestSchema } from './manifest-schema.js';

/** What an operator writes of a model that is to be imported. */
type Written = {
  readonly family: string;
  readonly slug: string;
  readonly name?: string;
  readonly description?: string;
  readonly vendor: string;
  readonly licence: string;
  readonly commercial_use: boolean;
  readonly parameters: number;
  readonly released_at?: string;
  readonly paper_url?: string;
  readonly sha256?: string;
  readonly caps: ForecasterCaps;
  readonly tasks: readonly ForecasterTask[];
  readonly quantiles: readonly number[];
  readonly covariates?: Covariates;
  readonly graph?: Graph;
};

const ajv = new Ajv2020({ strict: true, meta: false, validateSchema: false });
formats.default(ajv);
const holds = ajv.compile<Written>(manifestSchema);

/**
 * What a manifest says of a file. `now`: epoch ms, the time of release where none is said.
 * @throws Rejected 422 that names what is wrong in it
 */
export function listingOf(
  manifest: unknown,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  now: number,
): FoundationListing {
  if (!holds(manifest)) throw refused(faultIn());
  const fault = contradictionIn(manifest);
  if (fault) throw refused(fault);
  if (manifest.sha256 !== undefined && manifest.sha256 !== sha256)
    throw refused(`the file has sha256 ${sha256}, the manifest says ${manifest.sha256}`);
  const { family, slug, vendor, licence, parameters, tasks, quantiles, caps } = manifest;
  const graph = manifest.graph ?? null;
  return {
    ...{ family, slug, vendor, licence, parameters, tasks, quantiles },
    name: manifest.name ?? `${family} ${slug}`,
    description: manifest.description ?? `${vendor}'s ${family} ${slug}`,
    commercialUse: manifest.commercial_use,
    maxContext: caps.context,
    maxHorizon: caps.horizon,
    covariates: manifest.covariates ?? 'none',
    releasedAt: manifest.released_at === undefined ? now : Date.parse(manifest.released_at),
    paperUrl: manifest.paper_url ?? null,
    ...{ sha256, bytes, graph },
    ...(graph ? wordsOf(graph, caps) : OWN_FORM),
    benchmarks: null,
  };
}

const refused = (fault: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', `manifest: ${fault}`);

function faultIn(): string {
  const { instancePath, message, params } = holds.errors![0]!;
  const allowed = 'allowedValues' in params ? ` (${(params['allowedValues'] as unknown[]).join(', ')})` : '';
  const unknown = 'additionalProperty' in params ? ` ('${params['additionalProperty']}')` : '';
  return `${instancePath.slice(1).replaceAll('/', '.')} ${message}${allowed}${unknown}`.trim();
}

/** What no schema tells; null: nothing. */
function contradictionIn({ family, quantiles, tasks, caps, graph }: Written): string | null {
  if (family === FIRST_PARTY) return `family: ${FIRST_PARTY} is our own; name it after its makers`;
  // Another endpoint has the place of its address, or what is made here is called so
  if (family === 'adapters' || isMade({ family, slug: '' })) return `family: '${family}' is taken`;
  if (quantiles.some((level, i) => level <= (quantiles[i - 1] ?? 0))) return 'quantiles must ascend';
  if (!quantiles.includes(0.5)) return 'quantiles must hold 0.5, the point forecast';
  if (graph?.output.form === 'points' ? quantiles.length > 1 : quantiles.length < 2)
    return 'quantiles: a model that gives points has [0.5], any other has two levels or more';
  const odd = tasks.find(task => task === 'multivariate' || (graph && ['embed', 'classify'].includes(task)));
  if (odd) return `tasks: '${odd}' takes more than a series in and quantiles out`;
  if (!graph) return null;
  const { length, missing, pad } = graph.input;
  if (length !== null && length !== caps.context)
    return `caps.context must be ${length}, the length that the network takes`;
  if (missing === 'linear' && pad === 'nan') return 'graph.input.pad: the network takes no NaN';
  return null;
}

function wordsOf({ input, output }: Graph, { horizon }: ForecasterCaps) {
  const forms = {
    levels_last: `[1, ${horizon}, levels]`,
    levels_first: `[1, levels, ${horizon}]`,
    points: `[1, ${horizon}]`,
  };
  return {
    inputs: { [input.name]: `${input.type} [1, ${input.length ?? 'length'}${input.channel ? ', 1' : ''}]` },
    outputs: { [output.name]: forms[output.form] },
  };
}

/** As the first-party models. */
const OWN_FORM = {
  inputs: {
    context: 'float64 [batch, length], newest last, NaN where missing',
    period: 'int64 [batch], steps of the main season, 1 for none',
    horizon: 'int64 [1]',
  },
  outputs: { quantiles: 'float64 [batch, horizon, levels], in the units of the context' },
} as const;
