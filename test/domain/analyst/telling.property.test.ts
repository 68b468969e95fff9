import * as assert from 'uvu/assert';
import { answerTo, CONFIDENCES } from '../../../domain/analyst/answering.js';
import { briefOf } from '../../../domain/analyst/brief.js';
import { factAt, type Source, type StoredFact } from '../../../domain/analyst/fact.js';
import { INTENTS } from '../../../domain/analyst/intents.js';
import type { Situation } from '../../../domain/analyst/situation.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';
import { situationOf } from './given.js';
import { unfounded } from './numbers.js';

const questions = [
  ...['Why did it change?', 'What comes next?', 'What if there were news?', 'How accurate is it?'],
  ...['What drives it?', 'What effect do events of news have?', 'Compare the last two', 'Are there gaps?'],
  'Who won in 1966?',
];
const naming = [
  'What effect do events of eu.1__de have?',
  'What if plant-2.output rises, and no.such_7 too?',
];
const sourcesIn = (situation: Situation): Source[] =>
  [
    ...[situation.goal, situation.latest, situation.previous, situation.target, situation.tournament],
    ...[...situation.edges, ...situation.idle, ...situation.tests],
  ].filter(one => one !== null);

suite('what the analyst tells', test => {
  const stands = (situation: Situation, text: string, facts: readonly StoredFact[]): void => {
    assert.ok(text.length > 0);
    assert.not.match(text, /undefined|null|NaN/);
    assert.equal(unfounded(text, facts), [], `${text} ${JSON.stringify(facts)}`);
    for (const fact of facts) {
      const source = sourcesIn(situation).find(({ kind, id }) => kind === fact.kind && id === fact.id);
      assert.equal(source && factAt(source, fact.field), fact);
    }
  };

  test('has no number that does not stand in its facts, and these stand where they say', () => {
    const random = randomOf(17);
    for (let round = 0; round < 300; round++) {
      const situation = situationOf(random);
      const { headline, sections } = briefOf(situation);
      assert.is(sections.length, 5);
      for (const { text, facts } of sections) stands(situation, text, facts);
      stands(
        situation,
        headline,
        sections.flatMap(({ facts }) => facts),
      );
      for (const question of [...questions, ...naming]) {
        const { answer, facts, confidence, intent } = answerTo(situation, question);
        stands(situation, answer, facts);
        assert.ok(CONFIDENCES.includes(confidence));
        if (facts.length === 0) assert.is(confidence, 'low', intent);
      }
    }
  });

  test('is the same for the same', () => {
    const [a, b] = [situationOf(randomOf(4)), situationOf(randomOf(4))];
    assert.equal(briefOf(a), briefOf(b));
    for (const question of questions) assert.equal(answerTo(a, question), answerTo(b, question));
  });

  test('each question is taken for what it is, and what is none is not guessed at', () => {
    const situation = situationOf(randomOf(1));
    const intents = questions.map(question => answerTo(situation, question).intent);
    assert.equal(intents, INTENTS);
    for (const strange of [
      'What is the capital of France?',
      'qwertz',
      'Sing 42 songs',
      '??',
      'Is it raining?',
    ]) {
      const { intent, facts, answer, confidence } = answerTo(situation, strange);
      assert.equal([intent, facts, confidence], ['unknown', [], 'low']);
      assert.match(answer, 'how accurate');
    }
  });

  test('numbers that are made up are found', () => {
    const facts: StoredFact[] = [
      { kind: 'goal', id: 'g', field: 'a', value: 0.8123 },
      { kind: 'goal', id: 'g', field: 'b', value: 5_400 },
      { kind: 'goal', id: 'g', field: 'c', value: 'Zone 7' },
    ];
    assert.equal(unfounded('81% and 1.5 hours in Zone 7, .8123 or 0.81', facts), ['8123']);
    assert.equal(unfounded('82%, 3 hours, 7, 0.9', facts), ['82%', '3 hours', '7', '0.9']);
  });
});
