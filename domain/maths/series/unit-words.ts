/** Words of some lines of text, which blanks part. */
export const words = (...lines: readonly string[]): string[] => lines.join(' ').split(' ');

export const CURRENCIES = words(
  'usd eur gbp jpy chf cny inr aud cad nzd sek nok dkk pln czk huf brl mxn zar krw sgd hkd',
);
export const DATA = words(
  'memory mem ram heap cache disk storage swap file files size traffic data download upload used free',
);
export const DURATION = words('duration latency delay elapsed runtime uptime time age wait timeout response');
export const LENGTH = words('length distance height depth altitude elevation width level range');
export const MASS = words('mass weight tonnage cargo freight emissions co2 harvest waste');
export const POWER = words('power load capacity generation demand consumption production solar wind');
export const RAIN = words('rain rainfall precipitation snow snowfall');
export const TEMPERATURE = words('temp temperature dewpoint');
export const VOLUME = words('volume fuel water milk gas flow reservoir');

/** Trailing words that say how a value was made, not what it is; passed over. */
export const AGGREGATES: readonly string[] = words(
  'avg average mean median sum total min max minimum maximum p50 p75 p90 p95 p99',
  'hourly daily weekly monthly yearly',
);

/** What is counted. */
export const COUNTED = words(
  'count counts users visitors visits sessions customers subscribers members employees orders transactions',
  'purchases bookings signups logins downloads installs clicks impressions views pageviews requests errors',
  'exceptions failures tickets messages calls emails events passengers vehicles items jobs',
);
