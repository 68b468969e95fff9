import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BadConfiguration, billingTables } from '../config.js';
import { builtInPlans, limitedTo } from '../domain/billing/plans.js';
import { builtInRates } from '../domain/billing/rates.js';
import { suite } from './suite.js';

const plan = { id: 'own', name: 'Our own', credits: '12.5', limits: { goals: 7, members: null } };
const plans = { version: 'a', plans: [plan] };
const rates = {
  version: 'b',
  effective_from: '2027-01-01T00:00:00Z',
  credits: { ...builtInRates.credits, 'inference.series_step': '0' },
};

suite('plans and rates', test => {
  const folder = mkdtempSync(join(tmpdir(), 'presage-tables-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const name = join(folder, 'table.json');
    writeFileSync(name, text);
    return name;
  };
  const read = (settings: Partial<Parameters<typeof billingTables>[0]>) =>
    billingTables({ PLANS_FILE: '', RATES_FILE: '', DEFAULT_PLAN: 'free', ...settings });

  test('are built in', () => {
    const tables = read({});
    assert.equal([tables.plans, tables.rates], [builtInPlans, builtInRates]);
    assert.is(tables.plan.id, 'free');
    assert.is(read({ DEFAULT_PLAN: 'team' }).plan.credits, 5_000_000);
  });
  test('of a file take the place of those', () => {
    const own = read({ PLANS_FILE: file(JSON.stringify(plans)), DEFAULT_PLAN: 'own' });
    const limits = limitedTo({ goals: 7 });
    assert.equal(own.plan, { id: 'own', name: 'Our own', credits: 12_500, limits });
    assert.is(own.plans.version, 'a');
    const free = read({ RATES_FILE: file(JSON.stringify(rates)) });
    assert.equal(free.rates.credits, rates.credits);
    assert.is(free.rates.effectiveFrom, Date.UTC(2027, 0, 1));
  });

  const wrongPlans: [string, unknown, RegExp][] = [
    ['no JSON', '{"version": }', /table\.json" is not possible: .*JSON/],
    ['no table', '[]', /the whole: must be object$/],
    [
      'credits of a number',
      { ...plans, plans: [{ ...plan, credits: 5 }] },
      /plans\[0\]\.credits: must be string$/,
    ],
    [
      'part credits too fine',
      { ...plans, plans: [{ ...plan, credits: '0.0001' }] },
      /plans\[0\]\.credits: must match/,
    ],
    [
      'a quota nobody counts',
      { ...plans, plans: [{ ...plan, limits: { rows: 1 } }] },
      /plans\[0\]\.limits: has no member rows$/,
    ],
    [
      'a limit below zero',
      { ...plans, plans: [plan, { ...plan, limits: { goals: -1 } }] },
      /plans\[1\]\.limits\.goals: must be >= 0$/,
    ],
    ['a plan twice', { ...plans, plans: [plan, plan] }, /plans\[1\]\.id: there is another plan own$/],
    ['no plans', { ...plans, plans: [] }, /plans: must NOT have fewer than 1 items$/],
  ];
  for (const [name, content, message] of wrongPlans)
    test(`PLANS_FILE with ${name} is refused`, () =>
      refused(
        { PLANS_FILE: file(typeof content === 'string' ? content : JSON.stringify(content)) },
        message,
      ));

  const { 'finetune.forge': _, ...lacking } = rates.credits;
  const wrongRates: [string, unknown, RegExp][] = [
    [
      'a missing item',
      { ...rates, credits: lacking },
      /credits: must have required property 'finetune\.forge'$/,
    ],
    ['an unknown item', { ...rates, credits: { ...rates.credits, tea: '1' } }, /credits: has no member tea$/],
    [
      'a rate below zero',
      { ...rates, credits: { ...rates.credits, 'finetune.forge': '-1' } },
      /credits\.finetune\.forge: must match/,
    ],
    [
      'no such day',
      { ...rates, effective_from: '2027-13-41T00:00:00Z' },
      /effective_from: there is no such time$/,
    ],
  ];
  for (const [name, content, message] of wrongRates)
    test(`RATES_FILE with ${name} is refused`, () =>
      refused({ RATES_FILE: file(JSON.stringify(content)) }, message));

  test('a file that is not there is refused by name', () =>
    refused(
      { RATES_FILE: '/nowhere/rates.json' },
      /^RATES_FILE="\/nowhere\/rates\.json" is not possible: ENOENT/,
    ));
  test('a default plan that is not among them is refused', () =>
    refused({ DEFAULT_PLAN: 'gold' }, /^DEFAULT_PLAN="gold" is not possible: one of free, team, scale$/));

  function refused(settings: Parameters<typeof read>[0], message: RegExp): void {
    assert.throws(
      () => read(settings),
      (error: Error) => error instanceof BadConfiguration && message.test(error.message),
    );
  }
});
