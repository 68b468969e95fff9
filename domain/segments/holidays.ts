import { recipeFault } from './check.js';
import type { Sources } from './ports.js';
import type { AskedHolidays } from './receipts.js';
import type { Recipe } from './recipe.js';

export type Holidays = {
  readonly isHoliday: (country: string, day: number) => boolean;
  readonly asked: readonly AskedHolidays[];
};

/** The years of local days may begin and end a day from those of UTC. */
const yearOf = (time: number, years: number): number => new Date(time).getUTCFullYear() + years;

/**
 * The public holidays that features of a recipe ask for, from a time to another.
 * @throws Rejected 422 validation_error where a country is not known
 */
export async function holidaysOf(
  recipe: Recipe,
  sources: Sources,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Holidays> {
  const days = new Map<string, ReadonlySet<number>>();
  const asked: AskedHolidays[] = [];
  const years = { from: yearOf(from, -1), to: yearOf(to, 1) };
  for (const [i, { kind, params }] of recipe.features.entries()) {
    if (kind !== 'holiday' || days.has(params.country)) continue;
    const known = await sources.holidays(params.country, years.from, years.to);
    if (!known)
      throw recipeFault(
        ['features', i, 'params', 'country'],
        'country',
        `no country ${params.country} is known`,
      );
    days.set(params.country, new Set(known));
    asked.push({ country: params.country, ...years, days: known });
  }
  return { isHoliday: (country, day) => days.get(country)!.has(day), asked };
}
