import { Rejected } from '../../domain/rejected.js';
import { DAY, iso } from '../../domain/time.js';
import type { Demands, TokenRecord } from '../../projections/identity/records.js';

/**
 * @throws Rejected 403 where a member or their token is not as the organization asks for; `issuedAt`, `now`:
 * epoch ms
 */
export function meets(
  { issuedAt }: Pick<TokenRecord, 'issuedAt'>,
  { lacksFactor, tokenDays }: Demands,
  now: number,
): void {
  if (lacksFactor) throw factorRequired;
  if (tokenDays !== null && issuedAt + tokenDays * DAY <= now) throw tooOld(tokenDays, issuedAt);
}

const factorRequired = new Rejected(
  'forbidden',
  'second_factor_required',
  'The organization asks for a second factor, and you have none; enrol one: POST /v1/user/totp/enroll',
  { enroll: '/v1/user/totp/enroll' },
);

const tooOld = (days: number, issuedAt: number): Rejected =>
  new Rejected(
    'forbidden',
    'token_too_old',
    `The organization takes tokens of at most ${days} days; regenerate it or make a new one`,
    { max_days: days, issued_at: iso(issuedAt) },
  );
