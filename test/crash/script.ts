import type { Submission } from '../../commands/events.js';
import { eventIdOf } from '../../commands/events/ids.js';
import { Rejected } from '../../domain/rejected.js';
import { Killed } from './deaths.js';
import type { Life } from './mortal.js';

export const START = 1_800_000_000_000;

const submission = (key: string, text: string, occurredAt: number, value?: number): Submission => ({
  key,
  text,
  occurredAt,
  details: value === undefined ? {} : { value },
});
const idOf = ({ key, text, occurredAt }: Submission): string => eventIdOf('w', key, occurredAt!, text);

const storm = submission('a', 'Storm', START - 1_000);
const strike = submission('a', 'Strike', START + 1_000, 4);
const number = submission('b', '77', START, 77);
const fire = submission('b', 'Fire', START + 2_000);
const moved = submission('b', 'Moved', START + 90_000);

type Step = (life: Life) => Promise<unknown>;
const record =
  (what: Submission): Step =>
  life =>
    life.commands.record('w', what, life.context());
const revise =
  (what: Submission, changes: object): Step =>
  life =>
    life.commands.revise('w', idOf(what), changes, null, life.context());
const withdraw =
  (what: Submission): Step =>
  life =>
    life.commands.withdraw('w', idOf(what), null, life.context());
const deleteStream =
  (key: string): Step =>
  life =>
    life.commands.deleteStream('w', key, life.context());
const settled: Step = async life => {
  while (!(await life.idle())) await new Promise(resolve => setTimeout(resolve, 3));
};
const at =
  (ms: number): Step =>
  async life => {
    life.now = START + ms;
  };

/** Recorded, scored, revised, come due, scored again, withdrawn, deleted with its stream, recorded anew. */
const steps: readonly Step[] = [
  record(storm),
  record(strike),
  record(number),
  settled,
  revise(storm, { value: 3 }),
  record(fire),
  record(moved),
  settled,
  revise(moved, { occurredAt: START + 3_000 }),
  at(2_500),
  settled,
  record(storm),
  record(strike),
  settled,
  withdraw(storm),
  revise(strike, { name: 'Renamed', value: null }),
  at(4_000),
  settled,
  deleteStream('a'),
  record(strike),
  record(storm),
  settled,
  deleteStream('b'),
  record(submission('b', 'Last', START + 4_500)),
  at(5_000),
  settled,
];

/** What a patient client does: it asks again, in the next life, until it has an answer. */
export async function play(life: Life): Promise<void> {
  for (const step of steps)
    for (let tries = 0; ; tries++) {
      try {
        await step(life);
        break;
      } catch (error) {
        if (error instanceof Rejected && error.kind === 'missing' && tries > 0) break;
        if (!(error instanceof Killed)) throw error;
        await life.again();
      }
    }
}
