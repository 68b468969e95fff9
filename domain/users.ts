import type { Decider } from './decider.js';
import type { Message } from './fact.js';

export type RegisterUser = Message<'RegisterUser', UserRegistered['data']>;
export type UserRegistered = Message<'UserRegistered', {
  readonly uid: string; readonly email: string; readonly name: string; readonly homeCell: string;
}>;

export const users: Decider<RegisterUser, UserRegistered, { readonly registered: boolean }> = {
  category: 'user', idOf: ({ data }) => data.uid, initialState: { registered: false },
  decide: ({ data }, { registered }) => registered ? [] : [{ type: 'UserRegistered', data }],
  evolve: () => ({ registered: true }),
};
