/** Of every picture, in its own units: pixels, where it is not scaled. */
export const WIDTH = 840;

type Look = { readonly size: number; readonly colour: string; readonly anchor?: 'start' | 'middle' | 'end' };

export const text = (
  x: number,
  y: number,
  words: string,
  { size, colour, anchor = 'start' }: Look,
): string =>
  words === ''
    ? ''
    : `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${colour}" `
      + `text-anchor="${anchor}">${escaped(shortened(words, size))}</text>`;

/** What does not fit is cut; a letter is about so wide as this share of its height. */
const LETTER = 0.52;
function shortened(words: string, size: number): string {
  const most = Math.floor((WIDTH - 32) / (LETTER * size));
  const letters = [...words];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : words;
}

/** A line for what is drawn as one, a patch for what is an area (`opacity`). */
export type Entry = { readonly label: string; readonly colour: string; readonly opacity?: string };

export function legend(y: number, entries: readonly Entry[]): string {
  let x = 16;
  const parts: string[] = [];
  for (const { label, colour, opacity } of entries) {
    parts.push(
      opacity === undefined
        ? `<path d="M${x} ${y - 4}h20" stroke="${colour}" stroke-width="2.4"/>`
        : `<rect x="${x}" y="${y - 10}" width="20" height="12" fill="${colour}" fill-opacity="${opacity}"/>`,
      text(x + 26, y, label, { size: 12, colour: '#333d47' }),
    );
    x += 26 + Math.ceil(label.length * 6.4) + 18;
  }
  return parts.join('\n');
}

/** Text as XML holds it; characters that it cannot hold become U+FFFD. */
export const escaped = (words: string): string =>
  words
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
