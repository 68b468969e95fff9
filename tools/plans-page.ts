import { creditsText } from '../domain/billing/amounts.js';
import { builtInPlans, quotaNames, quotas, type Plan } from '../domain/billing/plans.js';
import { builtInRates, rateItemNames, rateItems, type RateItem } from '../domain/billing/rates.js';
import { iso } from '../domain/time.js';

/** docs/plans.md: the plans and rates that are built in, and the files that take their place. */
export const plansPage = (): string => `# Plans and rates

What is built in, from \`domain/billing/plans.ts\` and \`rates.ts\` (\`npm run docs\`); a test holds this
page to it. How credits are held and charged says \`docs/billing.md\`.

## Plans

Version ${builtInPlans.version}. A plan is an organization's; \`DEFAULT_PLAN\` says which it begins with, and
\`presage plan set\` gives it another one.
Credits are granted each month (UTC). Limits are of each workspace; an empty cell: as much as one likes.

${head(['Plan', 'Credits a month', ...quotaNames.map(code)])}
${builtInPlans.plans.map(planLine).join('\n')}

${monthly} count within the month, the others what there is now.

## Rates

Version ${builtInRates.version}, in effect since ${iso(builtInRates.effectiveFrom)}.

${head(['Item', 'Credits', 'For one', ''])}
${rateItemNames.map(rateLine).join('\n')}

Everything else is free: reads, recording, pushes, deliveries, segments, previews.

## Your own

\`PLANS_FILE\` and \`RATES_FILE\` name JSON files that take the place of these tables. They are read at the
start; a wrong one is refused with the file, the place in it and the fault. Give each change a new
\`version\`: what was charged keeps the version it was charged by. Credits are decimal text. A limit that is
not named is none; every item of the rates must be there.

${json({ version: '2027-01', plans: [house] })}

${json({ version: '2027-01', effective_from: '2027-01-01T00:00:00Z', credits: builtInRates.credits })}
`;

const house = { id: 'house', name: 'House', credits: '1000000', limits: { goals: 50 } };

const code = (name: string): string => `\`${name}\``;
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (cells: readonly string[]): string => `${line(cells)}\n|${'---|'.repeat(cells.length)}`;
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const monthly = quotaNames
  .filter(name => quotas[name].period === 'month')
  .map(code)
  .join(' and ');

const planLine = ({ id, credits, limits }: Plan): string =>
  line([
    code(id),
    credits === 0 ? 'by contract' : creditsText(credits),
    ...quotaNames.map(name => limits[name]?.toLocaleString('en') ?? ''),
  ]);

const rateLine = (item: RateItem): string =>
  line([code(item), builtInRates.credits[item], rateItems[item].unit, rateItems[item].note]);
