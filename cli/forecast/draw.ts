import { textPicture } from '../../domain/drawing/text-picture.js';
import { print, visible } from '../output.js';
import { parsedJson, picturesOf, pointsIn } from './answer.js';
import { fileName, textIn } from './files.js';
import { checkedPicture, DRAWING, writePictures } from './pictures.js';

export type DrawOptions = {
  /** The file of an answer of `GET /v1/signal/points`; null: no history is drawn. */
  readonly points: string | null;
  readonly svg: string | boolean;
  readonly png: string | boolean;
};

/** Draws the answer of a forecast, as `presage forecast` draws its own: as pictures, or else as text. */
export async function draw(file: string, { points, svg, png }: DrawOptions): Promise<void> {
  const name = fileName(file);
  const files = { svg: checkedPicture(svg, 'svg', name), png: checkedPicture(png, 'png', name) };
  const before = points === null ? null : pointsIn(parsedJson(textIn(points), points), points);
  const pictures = picturesOf(parsedJson(textIn(file), file), file, before);
  for (const picture of files.svg === null && files.png === null ? pictures : [])
    await print(
      `${visible(picture.title)}: ${visible(picture.note)}\n${textPicture(picture, DRAWING).join('\n')}\n`,
    );
  for (const written of await writePictures(files, pictures)) process.stderr.write(`written: ${written}\n`);
}
