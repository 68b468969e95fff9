// What is UTF-8 and what is not, after Markus Kuhn's stress test for decoders, as Autobahn's suite takes it.

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const GREEK = Buffer.from('κόσμε');

const nonCharacters = ['f0', 'f1', 'f2', 'f3'].flatMap(a =>
  ['8f', '9f', 'af', 'bf']
    .filter(b => a !== 'f0' || b !== '8f')
    .flatMap(b => ['be', 'bf'].map(c => `${a}${b}bf${c}`)),
);

export const whole: readonly Buffer[] = [
  ...['hello$world', 'hello¢world', 'hello€world', 'hello\u{24b62}world'].map(each => Buffer.from(each)),
  GREEK,
  ...['00', 'c280', 'e0a080', 'f0908080', '7f', 'dfbf', 'efbfbf', 'f48fbfbf'].map(bytes),
  ...['ed9fbf', 'ee8080', 'efbfbd', 'efbfbe', 'efbfb9', 'efbfba', 'efbfbb', 'efbfbc'].map(bytes),
  ...nonCharacters.map(bytes),
];

const cut = [1, 3, 4, 6, 8, 10]
  .map(end => GREEK.subarray(0, end))
  .filter(each => String(each).endsWith('\ufffd'));
const incomplete = [
  ...['c0', 'e080', 'f08080', 'f8808080', 'fc80808080'],
  ...['df', 'efbf', 'f7bfbf', 'fbbfbfbf', 'fdbfbfbfbf'],
];
const surrogates = ['eda080', 'edadbf', 'edae80', 'edafbf', 'edb080', 'edbe80', 'edbfbf'];
const pairs = surrogates.slice(0, 4).flatMap(high => ['edb080', 'edbfbf'].map(low => high + low));
const overlong = [
  ...['c0af', 'e080af', 'f08080af', 'f8808080af', 'fc80808080af'],
  ...['c1bf', 'e09fbf', 'f08fbfbf', 'f887bfbfbf', 'fc83bfbfbfbf'],
  ...['c080', 'e08080', 'f0808080', 'f880808080', 'fc8080808080'],
];
const starts = [
  [0xc0, 0xdf],
  [0xe0, 0xef],
  [0xf0, 0xf7],
  [0xf8, 0xfb],
  [0xfc, 0xfd],
].map(([from, to]) => Buffer.from(Array.from({ length: to! - from! }, (_, i) => [from! + i, 0x20]).flat()));

export const broken: readonly Buffer[] = [
  Buffer.concat([GREEK, bytes('eda080'), Buffer.from('edited')]),
  ...cut,
  ...['f888808080', 'fc8480808080', 'f7bfbfbf', 'fbbfbfbfbf', 'fdbfbfbfbfbf', 'f4908080'].map(bytes),
  ...['80', 'bf', '80bf', '80bf80', '80bf80bf', '80bf80bf80', '80bf80bf80bf'].map(bytes),
  Buffer.from(Array.from({ length: 0x3f }, (_, i) => 0x80 + i)),
  ...starts,
  ...incomplete.map(bytes),
  bytes(incomplete.join('')),
  ...['fe', 'ff', 'fefeffff'].map(bytes),
  ...[...overlong, ...surrogates, ...pairs].map(bytes),
];
