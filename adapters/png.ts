import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const WASM = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
/** It has Latin, Greek and Cyrillic letters; others become boxes. */
const FONT = new URL('../../fonts/Inter-Regular.ttf', import.meta.url);

let ready: Promise<Uint8Array> | null = null;
const prepared = (): Promise<Uint8Array> => {
  ready ??= Promise.all([readFile(FONT), readFile(WASM).then(initWasm)]).then(([font]) => font);
  return ready;
};

/** An SVG document as a PNG image, so many times as large. The same on every machine: with a font of ours. */
export async function pngOf(svg: string, times = 2): Promise<Uint8Array> {
  const font = await prepared();
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: times },
    font: { fontBuffers: [font], defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
  });
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
