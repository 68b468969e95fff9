import { levelsIn, type Signature, type TensorSaid } from './signature.js';
import { TYPES, type Structure, type TensorInfo } from './structure.js';

/** Whether a file has what its signature says: what is wrong, and what is odd and does no harm. */
export type Fitting = { readonly faults: readonly string[]; readonly oddities: readonly string[] };

export function fittingOf({ inputs, outputs }: Signature, { graph }: Pick<Structure, 'graph'>): Fitting {
  const faults: string[] = [];
  const oddities: string[] = [];
  const [input, output] = [inputs[0]!, outputs[0]!];
  const names = (infos: readonly TensorInfo[]): string => infos.map(({ name }) => `'${name}'`).join(', ');
  const taken = graph.inputs.find(({ name }) => name === input.name);
  const given = graph.outputs.find(({ name }) => name === output.name);
  if (!taken) faults.push(`it has no input '${input.name}', but ${names(graph.inputs)}`);
  if (!given) faults.push(`it has no output '${output.name}', but ${names(graph.outputs)}`);
  if (taken && graph.inputs.length > 1)
    faults.push(`it takes ${names(graph.inputs)}; a model takes one input`);
  for (const [info, said, kind] of [
    [taken, input, 'input'],
    [given, output, 'output'],
  ] as const) {
    if (!info) continue;
    if (info.type !== TYPES[said.dtype])
      faults.push(`the ${kind} '${said.name}' is no tensor of ${said.dtype}`);
    const shape = shapeFault(info, said);
    // The runtime refuses an input of another shape; what comes out is measured, whatever the file says
    if (shape) (kind === 'input' ? faults : oddities).push(`the ${kind} '${said.name}' ${shape}`);
  }
  return { faults, oddities };
}

function shapeFault({ shape }: TensorInfo, said: TensorSaid): string | null {
  if (!shape) return null;
  const fits =
    shape.length === said.shape.length
    && shape.every((size, i) => size === null || size <= 0 || size === (i === 0 ? 1 : said.shape[i]));
  const inWords = (dims: readonly (number | string | null)[]): string =>
    `[${dims.map(dim => dim ?? '?').join(', ')}]`;
  return fits ? null : `is ${inWords(shape)} in the file, not ${inWords(said.shape)}`;
}

/** How many numbers come out for one series. */
export const numbersOut = (signature: Signature): number => signature.horizon * levelsIn(signature).length;
