import type { Series } from '../../domain/maths/series/series.js';
import type { Sources } from '../../domain/segments/ports.js';
import type { EventFigure } from '../../domain/segments/receipts.js';
import type { Asked, Asks, FromWorker, ToWorker } from './messages.js';

type Ask = <A extends Asked>(what: A, ...args: Asks[A]['ask']) => Promise<Asks[A]['answer']>;

const send = (message: FromWorker): void => {
  process.send!(message);
};
export { send };

const waiting = new Map<number, (value: unknown) => void>();
let asked = 0;

/** Asks the process that holds the stores; a failure there ends this process. */
export const ask: Ask = (what, ...args) =>
  new Promise(resolve => {
    const id = asked++;
    waiting.set(id, resolve as (value: unknown) => void);
    send({ type: 'ask', id, what, args });
  });

export function answered({ id, value }: Extract<ToWorker, { type: 'answer' }>): void {
  waiting.get(id)?.(value);
  waiting.delete(id);
}

async function* reading(
  of: 'points' | EventFigure,
  key: string,
  from: number,
  to: number,
): AsyncGenerator<Series> {
  const id = await ask('open', of, key, from, to);
  let isOver = false;
  try {
    // The next page is on its way while this one is worked on
    for (let coming = ask('next', id); ; ) {
      const page = await coming;
      isOver = page === null;
      if (page === null) return;
      coming = ask('next', id);
      yield page;
    }
  } finally {
    if (!isOver) await ask('close', id);
  }
}

/** Signals and events, asked for over there. */
export const askedSources = (asOf: number, holidays: Sources['holidays']): Sources => ({
  asOf,
  span: (key, from, to) => ask('span', key, from, to),
  points: (key, from, to) => reading('points', key, from, to),
  events: (stream, from, to, figure) => reading(figure, stream, from, to),
  responses: (stream, target) => ask('responses', stream, target),
  entities: base => ask('entities', base),
  holidays,
});
