/** Milliseconds in a second: clocks count in the one, figures in the other. */
const SECOND = 1_000;

/** Hears how long a call took, in seconds, and what came of it. */
export type Heard = (operation: string, outcome: string, seconds: number) => void;

/** Makes a call and answers what it answers, with nothing between the two. */
export type Timer = <T>(
  operation: string,
  call: () => Promise<T>,
  outcomeOf?: (answer: T) => string,
) => Promise<T>;

/** Times calls; `failureOf` names what came of one that was rejected. */
export const timer =
  (heard: Heard, failureOf: (error: unknown) => string): Timer =>
  (operation, call, outcomeOf) => {
    const began = performance.now();
    const tell = (outcome: string): void => heard(operation, outcome, (performance.now() - began) / SECOND);
    const answer = call();
    answer.then(
      value => tell(outcomeOf ? outcomeOf(value) : 'ok'),
      (error: unknown) => tell(failureOf(error)),
    );
    return answer;
  };
