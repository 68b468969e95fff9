import { Cancelled } from '../../domain/maths/compute.js';

export type Question = {
  /** Part of the key, and said by itself so that no caller can forget it: tenants never share an answer. */
  readonly workspace: string;
  /** What is asked, with everything that the answer depends on besides the data. */
  readonly key: string;
  /**
   * The state of the data: an answer counts as long as it is the same. Take it before the data are read: then
   * data that change in between make an answer that is thrown away too early, never one that is kept too
   * long.
   */
  readonly version: string;
  /** Ends when this caller goes away. */
  readonly signal: AbortSignal;
};

/** Makes the answer, as JSON text; the signal ends when all who asked have gone. */
export type Make = (signal: AbortSignal) => Promise<string>;

export type Answers = {
  /**
   * The answer as JSON text: a kept one, one that is on its way for another caller, or a new one. Errors are
   * not kept.
   */
  cached(question: Question, make: Make): Promise<string>;
};

/**
 * Answers of heavy analyses, until their data change; those not asked for longest go first when there are
 * more than fit.
 */
export function answers(most: { readonly count: number; readonly bytes: number }): Answers {
  const kept = memory(most);
  const flights = sharing();
  return {
    async cached({ workspace, key, version, signal }, make) {
      if (signal.aborted) throw new Cancelled();
      const name = JSON.stringify([workspace, key]);
      const known = kept.recall(name, version);
      if (known !== null) return known;
      return flights.join(JSON.stringify([workspace, key, version]), signal, async ended => {
        const text = await make(ended);
        kept.keep(name, version, text);
        return text;
      });
    },
  };
}

/** An answer that takes more of all bytes than this would push out too many others: it is not kept. */
const MAX_SHARE = 1 / 4;
/** V8 takes one or two bytes for a character; two is safe. */
const bytesOf = (text: string): number => 2 * text.length;

/** One answer for each name, with the version it is of. */
function memory({ count, bytes }: { readonly count: number; readonly bytes: number }) {
  // what was asked for last at the end
  const kept = new Map<string, { readonly version: string; readonly text: string }>();
  let used = 0;
  const forget = (name: string): void => {
    const known = kept.get(name);
    if (!known) return;
    used -= bytesOf(known.text);
    kept.delete(name);
  };
  return {
    recall(name: string, version: string): string | null {
      const known = kept.get(name);
      if (known?.version !== version) return null;
      kept.delete(name);
      kept.set(name, known);
      return known.text;
    },
    keep(name: string, version: string, text: string): void {
      forget(name);
      if (bytesOf(text) > bytes * MAX_SHARE) return;
      kept.set(name, { version, text });
      used += bytesOf(text);
      for (const oldest of kept.keys()) {
        if (kept.size <= count && used <= bytes) return;
        forget(oldest);
      }
    },
  };
}

type Flight = { readonly answer: Promise<string>; readonly controller: AbortController; callers: number };

/**
 * Work of one name that is under way is done once for all who ask for it; the last of them to go away ends
 * it.
 */
function sharing() {
  const underWay = new Map<string, Flight>();
  const land = (name: string, flight: Flight): void => {
    if (underWay.get(name) === flight) underWay.delete(name);
  };
  const begin = (name: string, make: Make): Flight => {
    const controller = new AbortController();
    const flight: Flight = {
      controller,
      callers: 0,
      answer: make(controller.signal).finally(() => land(name, flight)),
    };
    underWay.set(name, flight);
    return flight;
  };
  return {
    join(name: string, signal: AbortSignal, make: Make): Promise<string> {
      const flight = underWay.get(name) ?? begin(name, make);
      flight.callers++;
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          reject(new Cancelled());
          if (--flight.callers > 0) return;
          land(name, flight); // who asks from now on begins anew
          flight.controller.abort();
        };
        signal.addEventListener('abort', leave, { once: true });
        void flight.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
  };
}
