import * as assert from 'uvu/assert';
import { createScorer } from '../../adapters/scorer/scorer.js';
import type { Scorer, Scoring } from '../../domain/events/scoring.js';
import { suite } from '../suite.js';
import { about, nobody } from './profiles.js';

suite('what stands in and around a text', test => {
  let scorer: Scorer;
  test.before(async () => {
    scorer = await createScorer({ threads: 1 });
  });
  test.after(() => scorer.close());
  const score = (text: string): Promise<Scoring> => scorer.score(about(text, nobody));

  test('marks and markup change no score', async () => {
    for (const text of [
      'Strike at the harbour called off',
      'Boiler cold again',
      'n/a',
      'Court upholds the fine',
    ]) {
      const { scores } = await score(text);
      for (const marked of [
        `${text}.`,
        `${text}!`,
        `\u201c${text}\u201d`,
        `- **${text}**`,
        `(${text})`,
        `<div class="alert alert-danger"><p>${text}</p></div>`,
        `&quot;${text}&quot;`,
        `&lt;p class=&quot;lead&quot;&gt;${text}.&lt;/p&gt;`,
      ])
        assert.equal((await score(marked)).scores, scores, marked);
    }
  });
  test('markup alone, or around a number, is numeric content: rank 0', async () => {
    for (const text of ['<div class="error fatal"><br/></div>', '&nbsp;', '<td>12.5&nbsp;%</td>'])
      assert.is((await score(text)).scores.rank, 0, text);
  });
  test('sentences around news take nothing from it', async () => {
    const news = 'The smelter lost power and all four hundred workers were sent home. ';
    const around =
      'Minutes are kept in the usual place. The next meeting takes place in room four on Tuesday. ';
    const { scores, reasons } = await score(around.repeat(3) + news + around.repeat(3));
    const alone = (await score(news)).scores;
    assert.is(scores.sentiment, 'negative');
    assert.ok(scores.polarity < 0.75 * alone.polarity, `${scores.polarity}, alone ${alone.polarity}`);
    assert.is(scores.importance, alone.importance);
    assert.ok(reasons.length > 0);
  });
});
