import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { row, type Caller, type Row } from '../edge/row.js';
import { checkTimeZone } from '../edge/time-zone.js';
import { nothing, own, tag, type UserDeps } from './deps.js';
import * as schemas from './schemas.js';
import { userView } from './views.js';

/** The caller's own account: spec 4.2, open-parts 2.1. */
export function accountRows({ users, queries, clock, visible }: UserDeps): Row[] {
  /** `given`: what was decided of it just now. */
  const shown = async (caller: Caller, given: Given = {}) => {
    const [user, memberships] = await Promise.all([
      queries.user(caller.uid),
      queries.memberships(caller.uid),
    ]);
    if (!user) throw new Rejected('missing', 'not_found', 'User not found');
    return { data: userView({ ...user, ...given }, memberships, caller) };
  };
  return [
    row({
      method: 'get',
      path: '/v1/user/me',
      operation: 'getMe',
      summary: 'The caller',
      tag,
      access: own,
      versioned: 'by_content',
      answers: {
        200: { description: 'User, memberships and the token of this call', schema: schemas.userAnswer },
      },
      run: async ({ caller }) => ({ body: await shown(caller) }),
    }),
    row({
      method: 'post',
      path: '/v1/user/ui-flags',
      operation: 'setUiFlag',
      summary: 'Set a flag of the user interface',
      tag,
      access: own,
      body: schemas.flagBody,
      answers: { 200: { description: 'All flags as they are now', schema: schemas.flagAnswer } },
      async run(call) {
        const { flag, value } = call.body;
        const { uid } = call.caller;
        const { position, after } = await users.setFlag(uid, flag, value, contextOf(call, clock()));
        await visible(position);
        return { body: { status: 'ok', data: { ui_flags: after.flags } } };
      },
    }),
    row({
      method: 'post',
      path: '/v1/user/update-profile',
      operation: 'updateProfile',
      summary: 'Change name, picture, locale or time zone',
      tag,
      access: own,
      body: schemas.profileBody,
      kept: nothing,
      errors: { 404: ['not_found'] },
      answers: { 200: { description: 'The user as it is now', schema: schemas.userAnswer } },
      async run(call) {
        checkTimeZone(call.body);
        const { uid } = call.caller;
        const given = givenIn(call.body);
        const { position } = await users.updateProfile(uid, changesOf(given), contextOf(call, clock()));
        await visible(position);
        return { body: await shown(call.caller, given) };
      },
    }),
  ];
}

type Given = FromSchema<typeof schemas.profileBody>;

/** What is left out stays. */
const givenIn = ({ name, timezone, locale, avatar_url }: Given): Given => ({
  ...(name !== undefined && { name }),
  ...(timezone !== undefined && { timezone }),
  ...(locale !== undefined && { locale }),
  ...(avatar_url !== undefined && { avatar_url }),
});
const changesOf = ({ avatar_url, ...given }: Given) => ({
  ...given,
  ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
});
