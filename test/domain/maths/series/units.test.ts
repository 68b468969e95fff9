import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { UNIT_RULES } from '../../../../domain/maths/series/unit-rules.js';
import { AGGREGATES } from '../../../../domain/maths/series/unit-words.js';
import { autoGroupOf, entityOf, inferredUnit } from '../../../../domain/maths/series/units.js';
import { suite } from '../../../suite.js';
import { unitTables } from './units-table.js';

suite('inferred unit', test => {
  const units: Readonly<Record<string, readonly string[]>> = {
    EUR: ['price_eur', 'priceEur', 'revenue.total_eur', 'price_eur__berlin', 'PRICE-EUR', 'income euros'],
    USD: ['revenue.usd_total', 'sales_usd_sum_daily'],
    'EUR/MWh': ['price_eur_mwh', 'price_eur_per_mwh', 'spot.priceEurMwh'],
    'USD/bbl': ['oil_usd_bbl', 'oil_usd_per_barrel'],
    '%': ['cpu_percent', 'share_pct', 'humidity.percentage', 'percent', 'us.unemployment_rate'],
    ratio: ['debt_ratio'],
    ms: ['latency_ms', 'latency_ms_p95', 'http.latencyMs'],
    s: ['duration_s', 'wait_seconds'],
    h: ['uptime_h', 'uptime_hours'],
    'm/s': ['wind_ms', 'wind_speed_mps'],
    'km/h': ['speed_kmh', 'speed_km_per_h'],
    kWh: ['used_kwh', 'loadKWh'],
    MWh: ['loadMWh'],
    MW: ['load_mw', 'loadMW'],
    '°C': ['temp_c', 'temp_c_min', 'Temperature (°C)', 'boiler_celsius'],
    '°F': ['temperature_f'],
    kg: ['weight_kg'],
    t: ['co2_t', 'freight_tonnes'],
    m: ['depth_m', 'run_meters'],
    km: ['trip_km'],
    mm: ['rain_mm'],
    'm³': ['gas_m3'],
    GB: ['memory.used_gb'],
    B: ['net_bytes', 'bytes'],
    count: ['orders', 'active_users', 'error_count', 'visitors_total'],
    'count/d': ['orders_per_day'],
    'count/s': ['requests_per_second'],
    bp: ['yield_bps'],
  };
  for (const [unit, keys] of Object.entries(units))
    for (const key of keys) test(`${key}: ${unit}`, () => assert.is(inferredUnit(key), unit));

  const unsure = [
    '',
    '__',
    '.',
    'pop',
    'usd',
    'c',
    'm',
    'kwh',
    'usd_eur',
    'fx.eur_usd',
    'eurusd',
    'sales_gb',
    'us_m2',
    'series_c',
    'vitamin_c',
    'price_t',
    'conversion_rate',
    'rate',
    'duration_min',
    'users_active',
    'usd_per_user',
    'cost_per_click',
    'km_per',
    'per_day',
    'a_per_b_per_h',
    'eur_revenue',
    'usd_total',
    'price_ma',
    'total',
    'loadmwhx',
    'load__mw',
    '価格',
    'constructor',
    '__proto__',
  ];
  for (const key of unsure) test(`${JSON.stringify(key)}: unsure`, () => assert.is(inferredUnit(key), null));

  test('every rule can decide', () => {
    for (const { unit, words, after } of UNIT_RULES)
      for (const word of words)
        assert.is(inferredUnit(`${after?.[0] ?? 'some'}_${word}`), unit, `${word}: ${unit}`);
  });
  test('what a value was made by never decides', () => {
    for (const word of AGGREGATES)
      assert.not.ok(
        UNIT_RULES.some(({ words }) => words.includes(word)),
        word,
      );
  });
  test('any key has a unit or none', () => {
    const part = fc.constantFrom(
      'a',
      'B',
      '_',
      '__',
      '.',
      '1',
      ' ',
      'é',
      '価',
      '\ud83c',
      '🎉',
      'per',
      'eur',
      'kwh',
      'C',
      'temp',
      'max',
    );
    fc.assert(
      fc.property(fc.string({ unit: part, maxLength: 12 }), key => {
        const unit = inferredUnit(key);
        assert.ok(unit === null || unit.length > 0);
      }),
    );
  });
});

suite('docs/series.md', test => {
  test('tells the rules of units as they are', () => {
    const page = readFileSync(new URL('../../../../../docs/series.md', import.meta.url), 'utf8');
    const [, tables] = page.split(/<!-- units: .* -->\n/);
    assert.is(tables?.trim(), unitTables());
  });
});

suite('automatic group', test => {
  const groups = {
    'energy.load.de': 'energy',
    load: 'ungrouped',
    '.load': 'ungrouped',
    '': 'ungrouped',
    'a.': 'a',
    'a__b.c': 'a__b',
  };
  for (const [key, group] of Object.entries(groups))
    test(`of ${key} is ${group}`, () => assert.is(autoGroupOf(key), group));
});

suite('entity of a key', test => {
  const keys: Readonly<Record<string, readonly [base: string, entity: string]>> = {
    load__berlin: ['load', 'berlin'],
    'a.b__c.d': ['a.b', 'c.d'],
    a__b__c: ['a', 'b__c'],
    a___b: ['a', '_b'],
    __a__b: ['__a', 'b'],
  };
  for (const [key, [base, entity]] of Object.entries(keys))
    test(key, () => assert.equal(entityOf(key), { base, entity }));
  for (const key of ['load', '', '__', 'a__', '__b', '__init__', 'a_b'])
    test(`${JSON.stringify(key)} has none`, () => assert.is(entityOf(key), null));
  test('what is put together comes apart', () => {
    const part = fc.stringMatching(/^[a-z.]+(_[a-z.]+)*$/);
    fc.assert(
      fc.property(part, part, (base, entity) =>
        assert.equal(entityOf(`${base}__${entity}`), { base, entity }),
      ),
    );
  });
});
