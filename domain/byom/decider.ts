import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { mindVersion } from '../versions.js';
import type { ByomCommand, DeleteByom, EndByomValidation, RegisterByom } from './commands.js';
import type { ByomFact } from './facts.js';
import { uidOf } from './listing.js';
import { complete } from './report.js';
import { evolve, initialState, type Byom, type ByomState, type ByomStatus } from './state.js';

export const byomNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Model not found');

function decide(command: ByomCommand, state: ByomState): readonly ByomFact[] {
  if (command.type === 'UploadByom') return state ? [] : [{ type: 'ByomUploaded', data: command.data }];
  if (!state || state.status === 'deleted') throw byomNotFound();
  switch (command.type) {
    case 'RequestByomValidation':
      if (state.validation?.id === command.data.validationId) return [];
      if (!VALIDATED_ANEW.includes(state.status)) throw notToBeValidated(state);
      return [{ type: 'ByomValidationRequested', data: command.data }];
    case 'StartByomValidation':
      return isUnderWay(command.data.validationId, state)
        ? [{ type: 'ByomValidationStarted', data: command.data }]
        : [];
    case 'EndByomValidation':
      return end(command, state);
    case 'RegisterByom':
      return register(command, state);
    case 'DeleteByom':
      return remove(command, state);
  }
}

const VALIDATED_ANEW: readonly ByomStatus[] = ['uploaded', 'rejected', 'unsupported'];

const notToBeValidated = ({ status, validation }: Byom): Rejected =>
  new Rejected('conflict', 'invalid_state', `The model is ${status} already`, {
    byom_status: status,
    validation_id: validation?.id ?? null,
  });

const isUnderWay = (validationId: string, { status, validation }: Byom): boolean =>
  status === 'validating' && validation?.id === validationId;

function end({ data }: EndByomValidation, state: Byom): readonly ByomFact[] {
  if (!isUnderWay(data.validationId, state)) return [];
  const wrong = data.checks.find(
    ({ status }) => status === (data.as === 'unsupported' ? 'skipped' : 'failed'),
  );
  const message = wrong ? `${wrong.name}: ${wrong.message}` : null;
  const { name, validation } = state;
  const checks = complete(data.checks);
  return [{ type: 'ByomValidationEnded', data: { ...data, checks, name, message, by: validation!.by } }];
}

function register({ data }: RegisterByom, state: Byom): readonly ByomFact[] {
  const { status, network, format, signature } = state;
  if (status !== 'validated' || !network)
    throw new Rejected('conflict', 'not_validated', unfit(status), { byom_status: status, uid: state.uid });
  const { workspace, byomId, visibility, tags, by } = data;
  const name = data.name ?? state.name;
  const labels = { name, visibility, tags };
  const shared = visibility === 'public' && ({ fileShared: true } as const);
  const about = { ...labels, format, signature, network, ...shared };
  return [{ type: 'ByomRegistered', data: { workspace, byomId, uid: uidOf(byomId), ...about, by } }];
}

const unfit = (status: Byom['status']): string =>
  status === 'registered' ? 'The model is registered already' : `The model is ${status}, not validated`;

function remove({ data }: DeleteByom, { uid, version }: Byom): readonly ByomFact[] {
  const { workspace, byomId, by, inUse, seen } = data;
  mindVersion('The model', seen, version);
  if (inUse.length > 0)
    throw new Rejected('conflict', 'IN_USE', `The model is in use by ${inUse.join(', ')}`, { in_use: inUse });
  return [{ type: 'ByomDeleted', data: { workspace, byomId, uid, by } }];
}

/** Models that users bring. */
export const byoms: Decider<ByomCommand, ByomFact, ByomState> = {
  category: 'byom',
  idOf: ({ data: { workspace, byomId } }) => `${workspace}.${byomId}`,
  initialState,
  decide,
  evolve,
};
