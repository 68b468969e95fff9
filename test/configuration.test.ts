import * as assert from 'uvu/assert';
import { BadConfiguration, readConfig, variables } from '../config.js';
import { suite } from './suite.js';

suite('configuration', test => {
  test('an empty environment gives the defaults', () =>
    assert.equal(
      readConfig({}),
      Object.fromEntries(Object.entries(variables).map(([name, { default: fallback }]) => [name, fallback])),
    ));
  test('numbers and booleans are read from text', () => {
    const { PORT, PUBLIC_PROBE } = readConfig({ PORT: '0', PUBLIC_PROBE: 'true' });
    assert.equal([PORT, PUBLIC_PROBE], [0, true]);
  });
  const wrong: [string, string, RegExp][] = [
    ['PORT', '70000', /^PORT="70000" is not possible: a whole number from 0 to 65535$/],
    ['PORT', 'http', /^PORT="http" is not possible: a whole number/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL="loud" is not possible: one of fatal, error/],
    ['PUBLIC_PROBE', 'maybe', /^PUBLIC_PROBE="maybe" is not possible: true or false$/],
    ['EVENTSTORE_URL', 'http://x', /^EVENTSTORE_URL="http:\/\/x" is not possible: a text that matches/],
    ['SECRET_KEY', 'too-short', /^SECRET_KEY=\*\*\* is not possible/],
    ['MONGODB_URL', 'mongo://me:word@x', /^MONGODB_URL="mongo:\/\/\*\*\*@x" is not possible/],
    [
      'CELLS',
      'local=https://a.example',
      /^CELLS="local=https:\/\/a.example" is not possible: local and local have the same code$/,
    ],
    ['DATA_DIR', '', /^DATA_DIR="" is not possible: a text that is not empty$/],
  ];
  for (const [name, value, message] of wrong)
    test(`${name}=${value} is refused by name`, () =>
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error instanceof BadConfiguration && message.test(error.message),
      ));
  test('every wrong variable is named', () =>
    assert.throws(() => readConfig({ PORT: 'x', CELL: 'A B' }), /PORT=[\s\S]*CELL=/));
});
