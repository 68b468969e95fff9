import { notValid } from './errors.js';

/**
 * `within`: where in a request it stands.
 * @throws Rejected 422 when a body's `timezone` names none that this platform's Node knows
 */
export function checkTimeZone(
  { timezone }: { readonly timezone?: string | null },
  within: readonly string[] = ['body'],
): void {
  if (timezone === undefined || timezone === null || isTimeZone(timezone)) return;
  const msg = 'must be a time zone of the IANA database';
  throw notValid([{ loc: [...within, 'timezone'], msg, type: 'time_zone', input: timezone }]);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
