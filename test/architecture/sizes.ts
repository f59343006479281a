import { parseSync, Visitor } from 'vite';

import { readSource, sourceFiles } from './imports/read-graph.ts';

/**
 * Prints how long files and functions are, beside what STYLE measured elsewhere: a habit to compare oneself with, never
 * a gate. `node --conditions=source test/architecture/sizes.ts`
 */
interface Sized {
  readonly name: string;
  readonly lines: number;
}

const rooms = ['schemas/types', 'grammar', 'compiler', 'runtime', 'stdlib', '.ci', 'test'];
const files = sourceFiles().filter((file) => !file.startsWith('schemas/generated/'));

process.stdout.write('lines                files  median  p90   max   functions  median  p90   max   comments\n');
for (const room of rooms) {
  const own = files.filter((file) => file.startsWith(`${room}/`));
  const functions = own.flatMap(functionsOf);
  const cells = [...figures(own.map(sizeOf)), ...figures(functions)];
  process.stdout.write(
    `${room.padEnd(20)} ${cells.map((cell, index) => String(cell).padEnd([7, 8, 6, 6, 11, 8, 6, 6][index] ?? 6)).join('')}${commentShare(own)} %\n`,
  );
}
print('Longest files', files.filter((file) => !file.startsWith('test/')).map(sizeOf), 250);
print('Longest functions', files.filter((file) => !file.startsWith('test/')).flatMap(functionsOf), 40);

function sizeOf(file: string): Sized {
  return { name: file, lines: readSource(file).split('\n').length - 1 };
}

/** Functions and methods; arrow functions under five lines are not counted. */
function functionsOf(file: string): readonly Sized[] {
  const text = readSource(file);
  const found: Sized[] = [];
  const add = (name: string | undefined, start: number, end: number, least: number): void => {
    const lines = text.slice(start, end).split('\n').length;
    if (lines >= least)
      found.push({ name: `${file} ${name ?? 'line ' + text.slice(0, start).split('\n').length}`, lines });
  };
  new Visitor({
    FunctionDeclaration: (node) => add(node.id?.name, node.start, node.end, 1),
    FunctionExpression: (node) => add(undefined, node.start, node.end, 1),
    ArrowFunctionExpression: (node) => add(undefined, node.start, node.end, 5),
  }).visit(parseSync(file, text).program);
  return found;
}

function figures(sized: readonly Sized[]): readonly number[] {
  const sorted = sized.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [sorted.length, at(0.5), at(0.9), sorted.at(-1) ?? 0];
}

function commentShare(own: readonly string[]): number {
  const lines = own.flatMap((file) => readSource(file).split('\n'));
  return Math.round((100 * lines.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line)).length) / Math.max(1, lines.length));
}

function print(title: string, sized: readonly Sized[], above: number): void {
  const long = sized
    .filter(({ lines }) => lines > above)
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, 10);
  process.stdout.write(
    `${title}, above ${above} lines: ${long.length === 0 ? 'none' : ''}\n${long.map(({ name, lines }) => `  ${lines} ${name}\n`).join('')}`,
  );
}
