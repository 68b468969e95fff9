import { Option } from 'commander';
import type { NewCommand } from '../command.js';
import { levels, list, nonEmpty, positive } from '../options.js';

/** The levels of the quantiles that are shown, where none are named. */
const LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9];

/** Forecasts for who has a file, and pictures of those that a platform made. */
export function forecastCommands(command: NewCommand): void {
  forecastCommand(command);
  drawCommand(command);
}

/** A forecast in one line, of a file and without a platform. */
const forecastCommand = (command: NewCommand) =>
  command('forecast', 'forecast the series of a CSV file, here and now: no platform, nothing is kept')
    .argument('<file>', 'its columns are guessed and named; - reads stdin')
    .option('--horizon <steps>', 'steps ahead; default: whole seasons, at least 12', positive)
    .option('--time <column>', 'the column of times', nonEmpty)
    .option('--value <columns>', 'the columns of values, separated by commas', list)
    .option('--entity <column>', 'the column that says whose each row is, in a long table', nonEmpty)
    .option('--period <steps>', 'after how many steps the season comes again; 1: none', positive)
    .option('--quantiles <levels>', 'between 0 and 1, separated by commas', levels, LEVELS)
    .addOption(new Option('--model <name>', 'the model').choices(['nano', 'mini']).default('nano'))
    .option('--svg [file]', 'draw it, history, median and bands; default: the name of the file with .svg')
    .option('--png [file]', 'the same as an image')
    .option('--json', 'for programs')
    .action(async (file: string, given) => {
      const { horizon = null, time = null, value: values = null, entity = null, period = null } = given;
      const { quantiles, model, json = false, svg = false, png = false } = given;
      const { forecast } = await import('../forecast/forecast.js');
      await forecast(file, { horizon, time, values, entity, period, quantiles, model, json, svg, png });
    });

const drawCommand = (command: NewCommand) =>
  command(
    'draw',
    'draw what POST /v1/inference/forecast answered, or GET /v1/inference/{id}, or the report of a training',
  )
    .argument('<file>', 'the answer, or that of GET /v1/training/{id}/report, as JSON; - reads stdin')
    .option('--points <file>', 'what was before: an answer of GET /v1/signal/points', nonEmpty)
    .option('--svg [file]', 'default: the name of the file with .svg; without it and --png, as text')
    .option('--png [file]', 'the same as an image')
    .action(async (file: string, { points = null, svg = false, png = false }) => {
      const { draw } = await import('../forecast/draw.js');
      await draw(file, { points, svg, png });
    });
