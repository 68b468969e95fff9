import type { Json } from '../../test/json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../../test/platform.js';
import { agendaOf, gathered, type Happening } from './agenda.js';
import { timeOf, type World } from './world.js';

/** A world that is played to a platform of its own, over HTTP, by a clock that stands at the world's time. */
export type Play = {
  readonly running: Running;
  /** The platform's time, epoch ms. */
  now(): number;
  /** Tells it what becomes known until step `to` begins, from where it stood, each thing in its time. */
  until(to: number): Promise<void>;
  /** @throws Error that holds the answer where it is not of this status */
  call(method: string, path: string, body?: object, status?: number): Promise<Json>;
  close(): Promise<void>;
};

const LIMITS = { SCORING_BACKLOG_MAX: '1000000', SCORING_BACKLOG_PER_WORKSPACE: '1000000' };

/** `told`: after each thing that is told, with its answer, before the clock goes on. */
export async function played(
  world: World,
  env: Readonly<Record<string, string>> = {},
  told: (happening: Happening, answer: Json) => Promise<void> = async () => {},
): Promise<Play> {
  const folder = temporaryFolder();
  const opened = Date.now();
  const time = { ahead: timeOf(world, 0) - world.stepMs * 60 - opened };
  const now = (): number => Date.now() + time.ahead;
  const running = await startPlatform(folder.path, { env: { ...LIMITS, ...env }, clock: now });
  const state = { at: 0 };
  const call: Play['call'] = async (method, path, body, status) => {
    const answer = await running.call(method, path, body ? { body } : {});
    if (status === undefined ? answer.status >= 300 : answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 1_000)}`);
    return answer.json;
  };
  const tell = async (happening: Happening): Promise<void> => {
    const { at, path, body } = happening;
    time.ahead += Math.max(0, at - now());
    await told(happening, await call('POST', path, body));
  };
  return {
    running,
    now,
    call,
    async until(to) {
      // the time before play begins is told at once: nobody forecasts yet
      const agenda = agendaOf(world, state.at, to);
      for (const each of state.at === 0 ? gathered(agenda) : agenda) await tell(each);
      time.ahead += Math.max(0, timeOf(world, to) + 2_000 - now());
      state.at = to;
    },
    async close() {
      await running.stop();
      folder.remove();
    },
  };
}

/** Waits until all events are scored. */
export const allScored = (play: Play): Promise<boolean> =>
  until(async () => {
    const { data } = await play.call('GET', '/v1/event/streams');
    return data.streams.every((stream: Json) =>
      stream.points.every((point: Json) => point.importance !== null),
    );
  }, 'all events being scored');
