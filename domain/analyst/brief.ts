import { advice } from './advice.js';
import type { StoredFact } from './fact.js';
import { told } from './sentence.js';
import type { Situation } from './situation.js';
import { changed, next, standing, why } from './telling.js';
import { sure } from './telling-of-record.js';

export type Section = {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly StoredFact[];
};

/** What there is to say of a goal: its headline has no number that does not stand in a section. */
export function briefOf(situation: Situation): {
  readonly headline: string;
  readonly sections: readonly Section[];
} {
  const ahead = next(situation);
  const first = ahead.text.split('. ')[0]!.replace(/\.$/, '');
  return {
    headline: `${standing(situation).text} ${first}.`,
    sections: [
      { title: 'What changed', ...told(standing(situation), changed(situation)) },
      { title: 'Why', ...why(situation) },
      { title: 'What next', ...ahead },
      { title: 'How sure', ...sure(situation) },
      { title: 'What to do', ...advice(situation) },
    ],
  };
}
