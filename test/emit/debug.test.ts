import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { built } from '../built.ts';

import { debugProgram } from './debugger.ts';
import { makePrograms, projectOf, removeProject } from './make-programs.ts';

const text = `meta:
  inputs: { name: { type: string, default: ada } }
actions:
  - FA_create_dir: { dir_path: "out" }

  - FA_create_file:
      file_path: "out/{{name}}.txt"
      content: hello
    id: write
`;
let folder = '';
beforeAll(async () => {
  await built();
  folder = projectOf({ 'shop/order form.yaml': text });
  await makePrograms(folder, ['shop/order form.yaml'], { debug: true });
}, 120_000);
afterAll(() => removeProject(folder));

/** Place that an editor finds for a breakpoint in a source: the generated point in the program's source map. */
function generatedPoint(
  program: string,
  source: string,
  sourceLine: number,
): { readonly line: number; readonly column: number } {
  const comment = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(program, 'utf8'))?.[1] ?? '';
  const mapFile = path.join(path.dirname(program), decodeURIComponent(comment));
  const payload = JSON.parse(readFileSync(mapFile, 'utf8')) as ConstructorParameters<typeof SourceMap>[0];
  const map = new SourceMap(payload);
  const lines = readFileSync(program, 'utf8').split('\n');
  for (const [line, content] of lines.entries()) {
    for (let column = 0; column < Math.min(content.length, 200); column += 1) {
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry) || entry.generatedLine !== line || entry.generatedColumn !== column) continue;
      if (
        fileURLToPath(new URL(entry.originalSource, pathToFileURL(mapFile))) === source &&
        entry.originalLine === sourceLine
      )
        return { line, column };
    }
  }
  throw new Error(`nothing stands for line ${sourceLine + 1} of ${source}`);
}

it('a breakpoint in the action file stops a debugger at that step, with its parameters', async () => {
  const program = path.join(folder, 'dist/order form.mjs');
  const sixth = generatedPoint(program, path.join(folder, 'shop/order form.yaml'), 5);
  const debugged = await debugProgram(program, ['--var', 'name=eve'], folder);
  const breakpoint = await debugged.breakAt(pathToFileURL(program).href, sixth.line, sixth.column);
  const paused = await debugged.next();
  expect(paused).toMatchObject({ hitBreakpoints: [breakpoint], line: sixth.line });
  expect(await paused.evaluate('step.id')).toBe('shop/order form.yaml#write');
  expect(await paused.evaluate('parameters')).toMatchObject({ file_path: 'out/eve.txt', content: 'hello' });
  expect(await debugged.leave()).toBe(0);
  expect(readFileSync(path.join(folder, 'out/eve.txt'), 'utf8')).toBe('hello');
});

it('every step has one generated line', () => {
  const program = readFileSync(path.join(folder, 'dist/order form.mjs'), 'utf8');
  expect(program.split('\n').filter((line) => line === '  (step, parameters) => step,')).toHaveLength(2);
});
