import * as assert from 'uvu/assert';
import type { EventRecorded } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { ExecutionFact } from '../../domain/ingestion/polls/execution-facts.js';
import { executions } from '../../domain/ingestion/polls/executions.js';
import type { PointsRecorded } from '../../domain/signals/facts.js';
import { unpacked } from '../../domain/signals/points.js';
import { MINUTE } from '../../domain/time.js';
import { suite } from '../suite.js';
import { embeddedDisk, memoryDisk, type Disk } from './deaths.js';
import { PollingLife, type Answers } from './polls-life.js';

const FIRST = Date.UTC(2026, 4, 4);
const SECOND_RUN = FIRST + 10 * MINUTE;
const PAGE = 3;

/** Five items at first, seven by the second run; one of the systems cannot answer its second page at once. */
const answers: Answers = ({ pathname, searchParams }, now) => {
  const from = Number(searchParams.get('after') ?? 0);
  if (pathname === '/news' && from === PAGE && now === FIRST) return null;
  const all = now < SECOND_RUN ? 5 : 7;
  const numbers = Array.from({ length: PAGE }, (_, n) => from + n).filter(n => n < all);
  const items = numbers.map(n => ({ id: n, text: `text ${n}`, occurred_at: 1_760_000_000 + n, load: n / 2 }));
  return { items, next: from + PAGE < all ? from + PAGE : null };
};

const of = (facts: readonly Fact[], ...types: string[]): Fact[] =>
  facts.filter(({ type }) => types.includes(type));
const endedIn = (facts: readonly Fact[]): number => of(facts, 'ExecutionEnded').length;

/** Three sources of one kind each, two runs of each. */
async function run(disk: Disk, plan: readonly number[]) {
  const life = new PollingLife(disk, plan, answers);
  await life.begin();
  try {
    await life.insist(() => life.source('news', 'event', 'id'));
    await life.insist(() => life.source('notes', 'event', null));
    await life.insist(() => life.source('meter', 'signal', null));
    await life.until(
      facts => endedIn(facts) === 2 && of(facts, 'ExecutionAttemptFailed', 'ExecutionEnded').length === 3,
    );
    life.now += MINUTE;
    await life.until(facts => endedIn(facts) === 3);
    life.now = SECOND_RUN;
    await life.until(facts => endedIn(facts) === 6);
    const { stored, replayed } = await life.documents();
    assert.is(stored, replayed, 'the documents are those of a replay');
    return { came: cameOf(await life.facts()), deaths: life.deaths };
  } finally {
    await life.end();
    await disk.remove();
  }
}

/** What came of it: each event and point that was recorded, in order, and how the runs ended. */
function cameOf(facts: readonly Fact[]) {
  const events = of(facts, 'EventRecorded') as Fact<EventRecorded>[];
  const recorded = (of(facts, 'PointsRecorded') as Fact<PointsRecorded>[]).flatMap(
    ({ data: { key, points } }) => {
      const { times, values } = unpacked(points);
      return times.map((time, i) => `${key} ${time} ${values[i]}`);
    },
  );
  const runs = new Map<string, Fact<ExecutionFact>[]>();
  for (const fact of facts.filter(({ journal }) => journal.startsWith('execution-')))
    runs.set(fact.journal, [...(runs.get(fact.journal) ?? []), fact as Fact<ExecutionFact>]);
  return {
    events: events.map(({ data }) => `${data.key} ${data.text}`).sort(),
    points: recorded.sort(),
    revised: of(facts, 'PointsRevised').length,
    runs: [...runs]
      .map(([journal, its]) => {
        const { execution } = its.reduce(executions.evolve, executions.initialState);
        const { status, attempt, pages, cursor, tally } = execution!;
        const { read, accepted, duplicates, rejected } = tally;
        return [journal, status, attempt, pages, cursor, read, accepted + duplicates, rejected].join(' ');
      })
      .sort(),
  };
}

const AT_ONCE = 48;

for (const [name, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`polls killed at any write (${name})`, test => {
    test('each item is taken once, and each run ends as one that nothing disturbed', async () => {
      const calm = await run(disk(), []);
      const texts = (stream: string) => Array.from({ length: 7 }, (_, n) => `${stream} text ${n}`);
      assert.equal(calm.came.events, [...texts('news'), ...texts('notes')].sort());
      assert.is(new Set(calm.came.points).size, 7 * 2);
      assert.is(calm.came.points.length, 7 * 2);
      assert.equal(calm.came.runs, [
        'execution-w.exe_meter_1 succeeded 1 2 3 5 10 0',
        'execution-w.exe_meter_2 succeeded 1 2 6 4 8 0',
        'execution-w.exe_news_1 succeeded 2 2 3 5 5 0',
        'execution-w.exe_news_2 succeeded 1 2 6 4 4 0',
        'execution-w.exe_notes_1 succeeded 1 2 3 5 5 0',
        'execution-w.exe_notes_2 succeeded 1 2 6 4 4 0',
      ]);
      const { points } = calm.deaths;
      const plans: number[][] = [];
      for (let n = 0; n < points; n++) plans.push(n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n]);
      const died = { runs: 0, deaths: 0 };
      const worker = async (): Promise<void> => {
        for (let plan = plans.shift(); plan; plan = plans.shift()) {
          const killed = await run(disk(), plan);
          assert.equal(killed.came, calm.came, `deaths at ${plan.join(', ')}`);
          died.runs++;
          died.deaths += killed.deaths.count;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      console.log(`${name}: ${points} points to die at; ${died.runs} runs, ${died.deaths} deaths`);
      assert.ok(died.deaths > points);
    });
  });
