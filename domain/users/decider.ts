import type { Decider } from '../decider.js';
import { memberNotValid, Rejected } from '../rejected.js';
import type { SetUiFlag, UserCommand } from './commands.js';
import type { UserFact } from './facts.js';
import { confirm, enabled, enrol, verify } from './second-factor.js';
import { evolve, initialState, type UserState } from './state.js';

export const MAX_FLAGS = 200;

function decide(command: UserCommand, state: UserState): readonly UserFact[] {
  if (command.type === 'RegisterUser')
    return state.status === 'none' ? [{ type: 'UserRegistered', data: command.data }] : [];
  if (command.type === 'AbandonUser')
    return state.status === 'none' ? [{ type: 'UserErased', data: { uid: command.data.uid } }] : [];
  if (command.type === 'EraseUser' && state.status === 'erased') return [];
  if (state.status !== 'active') throw new Rejected('missing', 'not_found', 'User not found');
  const { uid } = command.data;
  switch (command.type) {
    case 'UpdateProfile':
      return Object.keys(command.data).length > 1 ? [{ type: 'ProfileUpdated', data: command.data }] : [];
    case 'SetUiFlag':
      return setFlag(command, state);
    case 'EnrolTotp':
      return enrol(command, state);
    case 'ConfirmTotp':
      return confirm(command, state);
    case 'DisableTotp':
      return state.totp ? [{ type: 'TotpDisabled', data: { uid } }] : [];
    case 'RenewRecoveryCodes':
      enabled(state);
      return [{ type: 'RecoveryCodesIssued', data: { uid, hashes: command.data.hashes } }];
    case 'VerifySecondFactor':
      return verify(command, state);
    case 'EraseUser':
      return [{ type: 'UserErased', data: { uid } }];
  }
}

function setFlag({ data }: SetUiFlag, { flags }: UserState): readonly UserFact[] {
  const present = Object.hasOwn(flags, data.flag) ? flags[data.flag]! : null;
  if (present === data.value) return [];
  if (present === null && Object.keys(flags).length >= MAX_FLAGS)
    throw memberNotValid(['flag'], 'too_many', `is one too many: at most ${MAX_FLAGS} are possible`);
  return [{ type: 'UiFlagSet', data }];
}

export const users: Decider<UserCommand, UserFact, UserState> = {
  category: 'user',
  idOf: ({ data }) => data.uid,
  initialState,
  decide,
  evolve,
};
