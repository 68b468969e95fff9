import type { NewByom } from '../../commands/byom.js';
import { faultsIn, type Signature } from '../../domain/byom/signature.js';
import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { all, tag, writes, type ByomDeps } from './deps.js';
import * as schemas from './schemas.js';

/** Bytes of a model. */
export const MODEL_LIMIT = 500 * 1_048_576;

export const uploadRow = (deps: ByomDeps): Row =>
  row({
    method: 'post',
    path: `${all}/upload`,
    operation: 'uploadByom',
    summary: 'Upload a model of your own',
    description: 'It is kept as it is; nothing of it runs before it is validated.',
    tag,
    access: writes,
    policy: 'upload',
    upload: { limit: MODEL_LIMIT },
    body: schemas.uploadBody,
    answers: { 202: { description: 'It is kept', schema: schemas.uploadAnswer } },
    errors: { 403: ['plan_limit_reached'], 413: ['payload_too_large'], 422: ['checksum_mismatch'] },
    async run(call) {
      const { path, name: file, bytes, sha256 } = call.file!;
      if (bytes === 0)
        throw notValid([{ loc: ['body', 'file'], msg: 'must not be empty', type: 'value_error' }]);
      const { name, format, sha256: declared = null } = call.body;
      const said: Signature = {
        normalization: 'none',
        ...call.body.signature,
        quantiles: call.body.signature.quantiles ?? null,
      };
      const { inputs, outputs, lookback, horizon, quantiles, normalization } = said;
      const signature = {
        inputs: inputs.map(tensor),
        outputs: outputs.map(tensor),
        lookback,
        horizon,
        quantiles,
        normalization,
      };
      const faults = faultsIn(signature, format);
      if (faults.length > 0)
        throw notValid(
          faults.map(({ loc, msg }) => ({ loc: ['body', 'signature', ...loc], msg, type: 'signature' })),
        );
      await mayKeep(deps, call.workspace, bytes);
      const given: NewByom = {
        ...{ path, declared, name: name.trim(), format, file, bytes, sha256, signature },
        by: call.caller.uid,
      };
      const made = await deps.commands.upload(call.workspace, given, contextOf(call, deps.clock()));
      await deps.visible(made.position);
      const data = { byom_id: made.byomId, status: 'uploaded', size_bytes: bytes, sha256 };
      return { status: 202, body: { status: 'accepted', data } };
    },
  });

/** Without members that nobody asked for. */
const tensor = ({ name, dtype, shape }: Signature['inputs'][number]) => ({ name, dtype, shape });

async function mayKeep({ queries, most }: ByomDeps, workspace: string, bytes: number): Promise<void> {
  const kept = await queries.kept(workspace);
  const details = { models: kept.models, bytes: kept.bytes, limit: most.models, limit_bytes: most.bytes };
  const refuse = (what: string) => new Rejected('forbidden', 'plan_limit_reached', what, details);
  if (kept.models >= most.models)
    throw refuse(`The workspace keeps ${most.models} models already; delete one`);
  if (kept.bytes + bytes > most.bytes)
    throw refuse(`The files of the workspace's models may have ${most.bytes} bytes together; delete one`);
}
