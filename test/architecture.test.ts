import * as assert from 'uvu/assert';
import { divided, groundKnows, rooms } from './architecture/rooms.js';
import {
  linesOf,
  partOf,
  reachedBy,
  roomOf,
  sourcesAtTop,
  sourcesIn,
  withoutComments,
} from './architecture/sources.js';
import { suite } from './suite.js';

const impure = [
  /\b(Date\.now|Math\.random|setTimeout)\b/,
  /\bnew Date\(\)/,
  /\b(process|performance|crypto)\./,
  /from '(?!\.)/,
];
const filesOf = (room: string): string[] => [
  ...sourcesIn(room),
  ...sourcesAtTop().filter(file => roomOf(file) === room),
];
const everything = [...Object.keys(rooms).flatMap(filesOf), ...['bench', 'test', 'tools'].flatMap(sourcesIn)];
const MOST_LINES = 300;
/** The formatter keeps code to it, not comments and strings. */
const MOST_COLUMNS = 110;
/** Nineteen of twenty files of sources have at most so many lines. */
const MOST_LINES_OF_SOURCES = 150;

/** What files reach that they may not, in words. */
const leaks = (files: readonly string[], may: (file: string, target: string) => boolean): string[] =>
  files.flatMap(file =>
    reachedBy(file)
      .filter(target => !may(file, target))
      .map(target => `${file} reaches ${target}`),
  );

suite('architecture', test => {
  for (const [room, known] of Object.entries(rooms))
    test(`${room} knows ${known.join(', ') || 'nothing'}`, () =>
      assert.equal(
        leaks(filesOf(room), (_file, target) => roomOf(target) === room || known.includes(roomOf(target))),
        [],
      ));

  for (const [room, { ground, areas }] of Object.entries(divided)) {
    test(`every part of ${room} stands in test/architecture/rooms.ts, and none besides`, () =>
      assert.equal(
        [...new Set(sourcesIn(room).map(partOf))].sort(),
        [...ground, ...Object.keys(areas)].sort(),
      ));

    test(`areas of ${room} reach what they are built on`, () => {
      const may = (from: string, to: string): boolean =>
        from === to || ground.includes(to) || (areas[from]?.includes(to) ?? false);
      assert.equal(
        leaks(
          sourcesIn(room),
          (file, target) => roomOf(target) !== room || may(partOf(file), partOf(target)),
        ),
        [],
      );
    });

    test(`areas of ${room} are built on each other in one direction`, () => {
      const order = Object.keys(areas);
      const circles = Object.entries(areas).flatMap(([area, on]) =>
        on.filter(each => order.indexOf(each) >= order.indexOf(area)).map(each => `${area} on ${each}`),
      );
      assert.equal(circles, []);
    });

    test(`the ground of ${room} knows no area of another room`, () =>
      assert.equal(
        leaks(
          sourcesIn(room).filter(file => ground.includes(partOf(file))),
          (file, target) => mayStandOn(`${room}/${partOf(file)}`, target),
        ),
        [],
      ));
  }

  test('the domain has no clock, no randomness, no IO and no packages', () =>
    assert.equal(
      sourcesIn('domain').filter(file => impure.some(sign => sign.test(withoutComments(file)))),
      [],
    ));

  test('only commands and the stores themselves append', () =>
    assert.equal(
      Object.keys(rooms)
        .filter(room => room !== 'commands' && room !== 'adapters')
        .flatMap(filesOf)
        .filter(file => /\.append\(/.test(withoutComments(file))),
      [],
    ));

  test('every file at the top is a room of its own', () =>
    assert.equal(
      sourcesAtTop().filter(file => !(roomOf(file) in rooms)),
      [],
    ));

  test(`no file is longer than ${MOST_LINES} lines`, () =>
    assert.equal(
      everything.filter(file => linesOf(file).length > MOST_LINES),
      [],
    ));

  test(`no line is longer than ${MOST_COLUMNS} columns`, () => {
    const wide = everything.flatMap(file =>
      linesOf(file).flatMap((line, i) => (line.length > MOST_COLUMNS ? [`${file}:${i + 1}`] : [])),
    );
    assert.equal(wide, []);
  });

  test(`nineteen of twenty files of sources have at most ${MOST_LINES_OF_SOURCES} lines`, () => {
    const lengths = [...Object.keys(rooms), 'tools'].flatMap(filesOf).map(file => linesOf(file).length);
    lengths.sort((a, b) => a - b);
    const most = lengths[Math.floor(lengths.length * 0.95)]!;
    assert.ok(most <= MOST_LINES_OF_SOURCES, `the twentieth has ${most} lines or more`);
  });
});

/** Whether a part of the ground may reach a file: one of its own room is judged elsewhere. */
function mayStandOn(part: string, target: string): boolean {
  const room = roomOf(target);
  const areas = divided[room]?.areas;
  if (!areas || room === roomOf(part) || !(partOf(target) in areas)) return true;
  return groundKnows[part]?.includes(`${room}/${partOf(target)}`) ?? false;
}
