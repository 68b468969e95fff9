import { DAY, HOUR, SECOND } from '../../time.js';
import { itself, type FeatureMaker, type Place } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';
import type { Zone } from '../zone.js';

/** 1970-01-01 was a Thursday, the fourth day of its week. */
const THURSDAY = 3;
const SATURDAY = 5;

const weekday = (local: number): number => (((Math.floor(local / DAY) + THURSDAY) % 7) + 7) % 7;
const partAt: Readonly<Record<FeatureKinds['calendar']['part'], (local: number) => number>> = {
  hour: local => Math.floor((local - Math.floor(local / DAY) * DAY) / HOUR),
  day_of_week: weekday,
  day: local => new Date(local).getUTCDate(),
  month: local => new Date(local).getUTCMonth() + 1,
  is_weekend: local => Number(weekday(local) >= SATURDAY),
};

/** What clocks of the zone show when a step begins. */
function eachLocal(zone: Zone, { rows, edges }: Place, found: (row: number, local: number) => void): void {
  for (let i = 0; i < rows; i++) found(i, zone.localAt(edges[i]!));
}

export const calendar: FeatureMaker<FeatureKinds['calendar']> = {
  names: itself,
  needs: () => [],
  machine({ part }, { zone, outs }) {
    const read = partAt[part];
    return {
      run(place) {
        const out = outs[0]!.now(place.rows);
        let [day, value] = [NaN, NaN];
        eachLocal(zone, place, (row, local) => {
          const today = Math.floor(local / DAY);
          // Other parts than the hour are the same all day
          if (today !== day || part === 'hour') value = read(local);
          day = today;
          out[row] = value;
        });
      },
    };
  },
};

/**
 * Sines and cosines of 1 to `order` whole waves in a period, in the time that clocks of the zone show, from
 * 1970-01-01T00:00:00 on.
 */
export const fourier: FeatureMaker<FeatureKinds['fourier']> = {
  names: (name, { order }) =>
    Array.from({ length: order }, (_, k) => [`${name}_sin${k + 1}`, `${name}_cos${k + 1}`]).flat(),
  needs: () => [],
  machine({ period_s: seconds, order }, { zone, outs }) {
    const period = seconds * SECOND;
    return {
      run(place) {
        const columns = outs.map(out => out.now(place.rows));
        eachLocal(zone, place, (row, local) => {
          const angle = (2 * Math.PI * (local % period)) / period;
          for (let k = 1; k <= order; k++) {
            columns[2 * k - 2]![row] = Math.sin(k * angle);
            columns[2 * k - 1]![row] = Math.cos(k * angle);
          }
        });
      },
    };
  },
};

/**
 * Whether the day on which a step begins is a public holiday: 0 or 1. Of a step of several days, how many of
 * them are.
 */
export const holiday: FeatureMaker<FeatureKinds['holiday']> = {
  names: itself,
  needs: () => [],
  machine({ country }, { zone, outs, isOfDays, isHoliday }) {
    return {
      run({ rows, edges }) {
        const out = outs[0]!.now(rows);
        for (let i = 0; i < rows; i++) {
          const first = zone.dayAt(edges[i]!);
          const last = isOfDays ? zone.dayAt(edges[i + 1]! - 1) : first;
          let count = 0;
          for (let day = first; day <= last; day++) count += Number(isHoliday(country, day));
          out[i] = count;
        }
      },
    };
  },
};
