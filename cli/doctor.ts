import { misspelt, readConfig, variables, type Config } from '../config.js';
import { codes, Failure, failureOf } from './exit.js';
import { dataFolder, wholeFiles } from './examine-folder.js';
import { ok, problem, warning, type Finding } from './jobs/finding.js';
import { columns, print } from './output.js';
import { embedded, hasData } from './place.js';
import { render } from './run.js';
import { versionOf } from './version.js';

type Show = (finding: Finding) => Promise<void>;

const NODE_SINCE = [20, 20] as const;

/**
 * Examines configuration, data folder, stores, models and projections; a problem ends it with `codes.fault`.
 * `quick`: does not read whole files, nor the whole log.
 */
export async function doctor(quick: boolean): Promise<void> {
  let problems = 0;
  const show: Show = async finding => {
    if (finding.state === 'problem') problems++;
    await print(findingText(finding));
  };
  await show(program());
  const config = await configuration(show);
  if (config) {
    for (const finding of embedded(config) ? dataFolder(config) : []) await show(finding);
    if (hasData(config) && (quick || (await whole(config, show)))) await platform(config, quick, show);
  }
  if (problems > 0) throw new Failure(`${problems} ${problems === 1 ? 'problem' : 'problems'}`, codes.fault);
}

/** Whether no file is damaged: some damage ends the process that opens it. */
async function whole(config: Config, show: Show): Promise<boolean> {
  let sound = true;
  for await (const finding of wholeFiles(config)) {
    sound &&= finding.state === 'ok';
    await show(finding);
  }
  return sound;
}

async function platform(config: Config, quick: boolean, show: Show): Promise<void> {
  try {
    await render(
      { name: 'doctor', options: { quick }, config },
      { row: finding => show(finding as Finding) },
    );
  } catch (error) {
    const { message, code } = failureOf(error);
    if (code === codes.interrupted) throw error;
    await show(problem('platform', message, todos[code] ?? mend(config)));
  }
}

const mend = ({ EVENTSTORE_URL, MONGODB_URL }: Config): string =>
  EVENTSTORE_URL || MONGODB_URL
    ? 'see that the servers run and that EVENTSTORE_URL and MONGODB_URL name them'
    : 'see that this user can read and write DATA_DIR, and that its disk has room';

const todos: Readonly<Record<number, string>> = {
  [codes.inUse]: 'end the other process, or let it finish',
  [codes.usage]: 'do as it says',
};

function findingText({ part, state, text, todo }: Finding): string {
  return (
    columns([8, 14, 0], [state, part, text])
    + (todo === undefined ? '' : columns([8, 14, 0], ['', '', `-> ${todo}`]))
  );
}

function program(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const text = `${versionOf().service}, Node ${process.versions.node}`;
  const old = major < NODE_SINCE[0] || (major === NODE_SINCE[0] && minor < NODE_SINCE[1]);
  return old ? problem('program', text, `use Node ${NODE_SINCE.join('.')} or newer`) : ok('program', text);
}

/** Null when it cannot be. */
async function configuration(show: Show): Promise<Config | null> {
  try {
    const config = readConfig(process.env);
    for (const finding of settings(config)) await show(finding);
    return config;
  } catch (error) {
    for (const line of failureOf(error).message.split('\n'))
      await show(problem('configuration', line, 'set it right'));
    return null;
  }
}

const LOCAL = ['127.0.0.1', 'localhost', '::1'];

function settings(config: Config): Finding[] {
  const part = 'configuration';
  const { EVENTSTORE_URL, MONGODB_URL, HOST, SECRET_KEY } = config;
  const names = Object.keys(variables) as (keyof Config)[];
  const set = names.filter(name => config[name] !== variables[name].default);
  const found = [ok(part, set.length > 0 ? `set: ${set.join(', ')}` : 'all as by default')];
  const warn = (is: boolean, text: string, todo: string): void => {
    if (is) found.push(warning(part, text, todo));
  };
  warn(
    !EVENTSTORE_URL !== !MONGODB_URL,
    'one store is a server, the other is embedded: one process only can run',
    'set both EVENTSTORE_URL and MONGODB_URL, or none',
  );
  warn(
    !embedded(config) && SECRET_KEY === '',
    'SECRET_KEY is empty: this machine seals personal data with a secret of its own',
    'give every process the same SECRET_KEY',
  );
  warn(
    !LOCAL.includes(HOST),
    `HOST=${HOST}: whoever reaches this machine reaches the API, without TLS`,
    'put a proxy with TLS in front of it, or check that one is there',
  );
  for (const { name, meant } of misspelt(process.env))
    warn(true, `${name} is no setting`, `set ${meant}, or unset it`);
  return found;
}
