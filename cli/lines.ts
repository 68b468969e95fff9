import type { Readable } from 'node:stream';

/**
 * The lines of a stream of UTF-8 text, which end at a line feed and nowhere else (`node:readline` also ends
 * them at U+2028, which JSON texts may hold). `keepOpen`: whoever stops early leaves the stream as it is.
 */
export async function* linesOf(stream: Readable, { keepOpen = false } = {}): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: !keepOpen }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
