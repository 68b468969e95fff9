import type { Decider } from './decider.js';
import type { Message } from './fact.js';

/** What is personal is sealed in the store under a key of that person (`of`), and null once they are erased. */
export type Personal = { readonly of: string; readonly email: string; readonly name: string };

export type RegisterUser = Message<'RegisterUser', UserRegistered['data']>;
export type UserRegistered = Message<'UserRegistered', {
  readonly uid: string; readonly homeCell: string; readonly personal: Personal | null;
}>;

export const users: Decider<RegisterUser, UserRegistered, { readonly registered: boolean }> = {
  category: 'user', idOf: ({ data }) => data.uid, initialState: { registered: false },
  decide: ({ data }, { registered }) => registered ? [] : [{ type: 'UserRegistered', data }],
  evolve: () => ({ registered: true }),
};
