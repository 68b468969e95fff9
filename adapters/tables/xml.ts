import { SaxesParser } from 'saxes';
import { LONGEST_ROW, unreadable } from './limits.js';

export type Attributes = Readonly<Record<string, string>>;
/** Names without the prefix of their namespace. */
export type Heard = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
};

/** Elements within each other; sheets have five. */
const DEEPEST = 100;

/** Reads XML and tells what is in it; yields after each part that was read. @throws Rejected */
export async function* readXml(parts: AsyncIterable<Buffer>, heard: Heard): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  /** Characters since the last tag: a text that never ends would be gathered whole. */
  let since = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    since = 0;
    if (++depth > DEEPEST) throw unreadable('The workbook is damaged: its parts lie too deep in each other');
    heard.open?.(local(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    since = 0;
    depth--;
    heard.close?.(local(name));
  });
  parser.on('text', text => heard.text?.(text));
  parser.on('cdata', text => heard.text?.(text));
  parser.on('error', error => {
    throw unreadable(`The workbook is damaged: ${error.message}`);
  });
  for await (const part of parts) {
    since += part.length;
    if (since > 2 * LONGEST_ROW)
      throw unreadable(`A text of the workbook is longer than ${LONGEST_ROW} characters`, 'row_too_long');
    parser.write(textOf(decoder, part));
    yield;
  }
  parser.close();
  yield;
}

function textOf(decoder: InstanceType<typeof TextDecoder>, part: Buffer): string {
  try {
    return decoder.decode(part, { stream: true });
  } catch {
    throw unreadable('The workbook is damaged: it is not text in UTF-8');
  }
}

export const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute whatever its prefix; `id` of `r:id`, not that of `sheetId`. */
export const attribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([full]) => full.endsWith(`:${name}`))?.[1];
