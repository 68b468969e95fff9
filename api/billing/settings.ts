import { creditsIn, creditsText } from '../../domain/billing/amounts.js';
import { thresholdOf, versionOf, type Account } from '../../domain/billing/account.js';
import { roleReaches } from '../../domain/groups/roles.js';
import { nullable, object } from '../../json-schema.js';
import { roleTooLow, tokenLimited } from '../edge/auth-refusals.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { row, type Caller, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import { accountOf, common, type BillingDeps } from './deps.js';
import { credits } from './schemas.js';

const body = object({
  low_balance_threshold: {
    ...nullable({ type: 'string', maxLength: 20 }),
    description:
      'Below so many credits (decimal text, up to three places) owners and admins of the organization are '
      + "told; null: a tenth of the plan's",
    examples: ['25.000'],
  },
});
const answer = object({ data: object({ low_balance_threshold: credits }) });

const path = '/v1/billing/settings';

/** When a balance is low. */
export const settingsRows = (deps: BillingDeps): Row[] => [readRow(deps), changeRow(deps)];

const readRow = (deps: BillingDeps): Row =>
  row({
    ...common,
    path,
    operation: 'getBillingSettings',
    summary: 'When the balance is low',
    description: 'It holds for the whole organization.',
    versioned: true,
    answers: { 200: { description: 'What holds now', schema: answer } },
    async run({ workspace }) {
      return shown(await accountOf(deps, await deps.organizationOf(workspace), deps.clock()));
    },
  });

function shown(account: Account) {
  const data = { low_balance_threshold: creditsText(thresholdOf(account)) };
  return { body: { data }, etag: versionedTag(versionOf(account), data) };
}

const changeRow = (deps: BillingDeps): Row =>
  row({
    ...common,
    method: 'patch',
    access: { kind: 'workspace', scope: 'workspaces.write' },
    path,
    versioned: true,
    operation: 'changeBillingSettings',
    summary: 'Say when the balance is low',
    description:
      'It holds for the whole organization: it takes the role admin in it, too, and a token that is not '
      + 'limited to some workspaces.',
    body,
    errors: { 409: ['version_conflict'] },
    answers: { 200: { description: 'What holds now', schema: answer } },
    async run(call) {
      const threshold = amountIn(call.body.low_balance_threshold);
      const organizationId = await deps.organizationOf(call.workspace);
      await mayChange(deps, organizationId, call.caller);
      const context = contextOf(call, deps.clock());
      const seen = versionIn(call.ifMatch);
      const { after } = await deps.commands.setLowBalance(organizationId, threshold, seen, context);
      return shown(after.account!);
    },
  });

/** @throws Rejected 403 for who does not look after the organization itself */
async function mayChange({ roleIn }: BillingDeps, organizationId: string, caller: Caller): Promise<void> {
  if (caller.workspaceIds) throw tokenLimited;
  const role = await roleIn(organizationId, caller.uid);
  if (!role || !roleReaches(role, 'admin')) throw roleTooLow(role, 'admin', 'organization');
}

function amountIn(text: string | null): number | null {
  if (text === null) return null;
  const amount = creditsIn(text);
  if (amount !== null && amount >= 0) return amount;
  const msg = 'must be credits as decimal text with up to three places, from 0';
  throw notValid([{ loc: ['body', 'low_balance_threshold'], msg, type: 'credits', input: text }]);
}
