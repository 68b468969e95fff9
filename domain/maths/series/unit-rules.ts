import {
  COUNTED,
  CURRENCIES,
  DATA,
  DURATION,
  LENGTH,
  MASS,
  POWER,
  RAIN,
  TEMPERATURE,
  VOLUME,
  words,
} from './unit-words.js';

/**
 * One rule: a key whose last word is one of `words` has this `unit`. With `after`, only when one of those
 * words stands before it (anywhere in the key); with `alone`, also when it is the only word. The first rule
 * that fits decides.
 */
export type UnitRule = {
  readonly unit: string;
  readonly kind: Kind;
  readonly words: readonly string[];
  readonly after?: readonly string[];
  readonly alone?: true;
};
export type Kind =
  | 'currency'
  | 'share'
  | 'time'
  | 'energy'
  | 'power'
  | 'temperature'
  | 'mass'
  | 'length'
  | 'speed'
  | 'area'
  | 'volume'
  | 'data'
  | 'frequency'
  | 'pressure'
  | 'electricity'
  | 'angle'
  | 'count';

const simple = (kind: Kind, table: Readonly<Record<string, string>>): UnitRule[] =>
  Object.entries(table).map(([unit, list]) => ({ unit, kind, words: words(list) }));

/**
 * A word that often means something else (`ms` of the wind, `gb` the country, `m2` the money) needs another
 * one before it.
 */
export const UNIT_RULES: readonly UnitRule[] = [
  { unit: 'm/s', kind: 'speed', words: ['ms'], after: words('wind speed velocity gust gusts') },
  {
    unit: 'bp',
    kind: 'share',
    words: ['bps', 'bp'],
    after: words('spread yield bond bonds treasury libor euribor swap'),
  },
  { unit: '%', kind: 'share', words: ['rate'], after: words('unemployment inflation interest mortgage') },
  { unit: '°C', kind: 'temperature', words: ['c'], after: TEMPERATURE },
  { unit: '°F', kind: 'temperature', words: ['f'], after: TEMPERATURE },
  { unit: 'ns', kind: 'time', words: ['ns'], after: DURATION },
  { unit: 'µs', kind: 'time', words: ['us'], after: DURATION },
  { unit: 's', kind: 'time', words: ['s'], after: DURATION },
  { unit: 'h', kind: 'time', words: ['h'], after: DURATION },
  { unit: 'm', kind: 'length', words: ['m'], after: LENGTH },
  { unit: 'mm', kind: 'length', words: ['mm'], after: [...LENGTH, ...RAIN] },
  { unit: 'm²', kind: 'area', words: ['m2'], after: ['area', 'floor'] },
  { unit: 'm³', kind: 'volume', words: ['m3'], after: VOLUME },
  { unit: 'L', kind: 'volume', words: ['l'], after: VOLUME },
  { unit: 'mL', kind: 'volume', words: ['ml'], after: VOLUME },
  { unit: 't', kind: 'mass', words: ['t'], after: MASS },
  { unit: 'g', kind: 'mass', words: ['g'], after: MASS },
  { unit: 'W', kind: 'power', words: ['w'], after: POWER },
  { unit: 'GW', kind: 'power', words: ['gw'], after: POWER },
  { unit: 'V', kind: 'electricity', words: ['v'], after: ['voltage', 'battery'] },
  { unit: 'A', kind: 'electricity', words: ['a'], after: ['current'] },
  { unit: 'kB', kind: 'data', words: ['kb'], after: DATA },
  { unit: 'MB', kind: 'data', words: ['mb'], after: DATA },
  { unit: 'GB', kind: 'data', words: ['gb'], after: DATA },
  { unit: 'TB', kind: 'data', words: ['tb'], after: DATA },
  {
    unit: '°',
    kind: 'angle',
    words: ['deg', 'degrees'],
    after: words('direction heading angle azimuth latitude longitude'),
  },
  ...CURRENCIES.map((code): UnitRule => ({ unit: code.toUpperCase(), kind: 'currency', words: [code] })),
  ...simple('currency', { EUR: 'euro euros' }),
  { unit: '%', kind: 'share', words: words('pct percent percentage'), alone: true },
  ...simple('share', { ratio: 'ratio fraction' }),
  ...simple('time', {
    ms: 'ms msec millis milliseconds',
    s: 'sec secs seconds',
    min: 'mins minutes',
    h: 'hrs hours',
    d: 'days',
  }),
  ...simple('energy', {
    Wh: 'wh',
    kWh: 'kwh',
    MWh: 'mwh',
    GWh: 'gwh',
    TWh: 'twh',
    MJ: 'mj',
    GJ: 'gj',
    MMBtu: 'mmbtu',
  }),
  ...simple('power', { W: 'watts', kW: 'kw kilowatts', MW: 'mw megawatts', GW: 'gigawatts' }),
  ...simple('temperature', { '°C': 'celsius degc', '°F': 'fahrenheit degf', K: 'kelvin' }),
  ...simple('mass', { mg: 'mg', kg: 'kg kilograms', t: 'tonnes', lb: 'lb lbs', oz: 'oz ounces' }),
  ...simple('length', {
    cm: 'cm',
    m: 'meters metres',
    km: 'km kilometers kilometres',
    mi: 'miles',
    ft: 'ft feet',
  }),
  ...simple('speed', { 'km/h': 'kmh kph', mph: 'mph', 'm/s': 'mps', kn: 'knots' }),
  ...simple('area', { 'm²': 'sqm', 'km²': 'km2', ha: 'hectares' }),
  ...simple('volume', { L: 'liters litres', gal: 'gal gallons', bbl: 'bbl barrels' }),
  { unit: 'B', kind: 'data', words: ['bytes'], alone: true },
  ...simple('data', {
    KiB: 'kib',
    MiB: 'mib',
    GiB: 'gib',
    TiB: 'tib',
    'kbit/s': 'kbps',
    'Mbit/s': 'mbps',
    'Gbit/s': 'gbps',
  }),
  ...simple('frequency', { Hz: 'hz', kHz: 'khz', MHz: 'mhz', GHz: 'ghz', bpm: 'bpm', rpm: 'rpm' }),
  ...simple('pressure', { hPa: 'hpa', kPa: 'kpa', mbar: 'mbar', psi: 'psi' }),
  { unit: 'count', kind: 'count', words: COUNTED, alone: true },
];
