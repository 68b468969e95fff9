import { withFlag } from '../../domain/users/state.js';
import type { IdentityOn, UserDoc } from './documents.js';

const changed = (users: UserDoc | null, changes: Partial<UserDoc>) =>
  users ? { users: { ...users, ...changes } } : {};

/** Users, their settings and their second factor. */
export const onUsers: IdentityOn = {
  UserRegistered: (_, { data: { uid, homeCell, personal }, at }) => ({
    users: {
      _id: uid,
      email: personal?.email ?? null,
      name: personal?.name ?? null,
      avatar_url: null,
      locale: 'en',
      timezone: 'UTC',
      home_cell: homeCell,
      created_at: at,
      erased_at: null,
      ui_flags: {},
      totp_enabled: false,
      totp_verified_at: null,
      recovery_codes: 0,
    },
  }),
  ProfileUpdated: ({ users }, { data: { timezone, locale, personal } }) =>
    changed(users, {
      ...(timezone !== undefined && { timezone }),
      ...(locale !== undefined && { locale }),
      ...(personal?.name !== undefined && { name: personal.name }),
      ...(personal?.avatarUrl !== undefined && { avatar_url: personal.avatarUrl }),
    }),
  UiFlagSet: ({ users }, { data: { flag, value } }) =>
    users ? changed(users, { ui_flags: withFlag(users.ui_flags, flag, value) }) : {},
  TotpConfirmed: ({ users }) => changed(users, { totp_enabled: true }),
  TotpDisabled: ({ users }) => changed(users, { totp_enabled: false, recovery_codes: 0 }),
  RecoveryCodesIssued: ({ users }, { data: { hashes } }) => changed(users, { recovery_codes: hashes.length }),
  SecondFactorVerified({ users }, { data: { hash }, at }) {
    if (!users) return {};
    const spent = hash === null ? 0 : 1;
    return changed(users, { totp_verified_at: at, recovery_codes: users.recovery_codes - spent });
  },
  UserErased: ({ users }, { at }) =>
    changed(users, {
      email: null,
      name: null,
      avatar_url: null,
      ui_flags: {},
      totp_enabled: false,
      recovery_codes: 0,
      erased_at: at,
    }),
};
