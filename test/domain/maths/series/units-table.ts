import { UNIT_RULES, type UnitRule } from '../../../../domain/maths/series/unit-rules.js';
import { AGGREGATES } from '../../../../domain/maths/series/unit-words.js';

/** The tables of docs/series.md, made from the rules. */
export function unitTables(): string {
  const plain = UNIT_RULES.filter(({ after }) => !after);
  const kinds = [...new Set(plain.map(({ kind }) => kind))];
  const limited = UNIT_RULES.filter(({ after }) => after);
  const contexts = [...new Set(limited.map(listed))];
  return [
    ...table(
      ['Of', 'Unit: last word of the key'],
      kinds.map(kind => [kind, all(plain.filter(rule => rule.kind === kind))]),
    ),
    '',
    ...table(
      ['The same', 'only after one of'],
      contexts.map(after => [all(limited.filter(rule => listed(rule) === after)), after]),
    ),
    '',
    `Passed over at the end: ${AGGREGATES.join(' ')}.`,
  ].join('\n');
}

const listed = ({ after }: UnitRule): string => after?.join(' ') ?? '';

const all = (rules: readonly UnitRule[]): string => rules.map(described).join(', ');

const described = ({ unit, words, alone }: UnitRule): string =>
  `${unit}${alone ? '*' : ''}: ${words.join(' ')}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
