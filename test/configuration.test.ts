import * as assert from 'uvu/assert';
import { BadConfiguration, misspelt, readConfig, variables } from '../config.js';
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
    ['SMTP_URL', 'mail://me:word@x', /^SMTP_URL=\*\*\* is not possible: a text that matches/],
    [
      'SMTP_URL',
      'smtp://x',
      /^MAIL_FROM="" is not possible: mail that goes through SMTP_URL needs a sender$/,
    ],
    ['MAIL_FROM', 'nobody', /^MAIL_FROM="nobody" is not possible: a text that matches/],
    ['OUTGOING_ALLOW', 'example.org', /^OUTGOING_ALLOW="example.org" is not possible: a text that matches/],
    ['DATA_DIR', '', /^DATA_DIR="" is not possible: a text that is not empty$/],
  ];
  test('names that look like settings are told from those of others', () => {
    const near = {
      DATADIR: 'DATA_DIR',
      MONGODB_URI: 'MONGODB_URL',
      EVENTSTORE_ULR: 'EVENTSTORE_URL',
      VISIBLE_WITIN_MS: 'VISIBLE_WITHIN_MS',
      LOG_LEVL: 'LOG_LEVEL',
      PRESAGE_PORT: 'PORT',
      secret_key: 'SECRET_KEY',
    };
    assert.equal(
      misspelt(near),
      Object.entries(near).map(([name, meant]) => ({ name, meant })),
    );
    const others =
      'HOME SHELL PATH PWD USER TERM LANG POST PORTS SORT HOSTS HOSTNAME HOSTTYPE LOGNAME MAIL EDITOR '
      + 'DISPLAY SHLVL COLORTERM XDG_DATA_DIRS XDG_DATA_HOME TMPDIR CDPATH NODE_ENV NODE_OPTIONS HTTP_PROXY '
      + 'CI DEBUG MONGODB_DB OTEL_TRACES_SAMPLER OTEL_TRACES_EXPORTER OTEL_EXPORTER_OTLP_HEADERS '
      + 'npm_config_cache KUBERNETES_PORT KUBERNETES_SERVICE_HOST DATABASE_URL SECRET SELL CALL RATE';
    assert.equal(misspelt(Object.fromEntries(others.split(' ').map(name => [name, '1']))), []);
    assert.equal(misspelt(Object.fromEntries(Object.keys(variables).map(name => [name, '1']))), []);
  });
  for (const [name, value, message] of wrong)
    test(`${name}=${value} is refused by name`, () =>
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error instanceof BadConfiguration && message.test(error.message),
      ));
  test('every wrong variable is named', () =>
    assert.throws(() => readConfig({ PORT: 'x', CELL: 'A B' }), /PORT=[\s\S]*CELL=/));
});
