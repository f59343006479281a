import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { svc, type Said } from '../cli/svc.ts';
import { contained } from './row-case.ts';
import { openWorld, type World } from './world.ts';

interface Table {
  readonly names: readonly string[];
  readonly plain: string;
  readonly shapes: Readonly<
    Record<string, string | { readonly file: string; readonly is: string; readonly action: string }>
  >;
  readonly words: Readonly<Record<string, readonly string[]>>;
}

const { names, plain, shapes, words } = parse(readFileSync(join(import.meta.dirname, 'names.yaml'), 'utf8')) as Table;
const verbs = [
  ['check', '--json', 'a.yaml'],
  ['lint', '--json', 'a.yaml'],
  ['plan', 'a.yaml'],
  ['migrate', 'a.yaml'],
  ['run', '--json', '--deny', 'shell,packages,script,private', 'a.yaml'],
] as const;

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

it('there are at least 14 shapes', () => {
  expect(Object.keys(shapes).length + Object.keys(words).length).toBeGreaterThanOrEqual(14);
});

describe('a name that every object has comes to the same as a harmless one, or is refused', () => {
  it.each(Object.entries(shapes))('%s', async (_what, shape) => {
    const problems: string[] = [];
    for (const verb of verbs) {
      const usual = await said(plain, shape, verb);
      for (const name of names) problems.push(...differences(name, verb, await said(name, shape, verb), usual));
    }
    expect(problems).toEqual([]);
  });

  it.each(Object.entries(words))('%s', async (_what, line) => {
    const problems: string[] = [];
    const action = 'actions: [[AT_set_variable, { name: a, value: 1 }]]\n';
    const usual = await said(
      plain,
      action,
      line.map((word) => word.replaceAll('<n>', plain)),
    );
    for (const name of names)
      problems.push(
        ...differences(
          name,
          line,
          await said(
            name,
            action,
            line.map((word) => word.replaceAll('<n>', name)),
          ),
          usual,
        ),
      );
    expect(problems).toEqual([]);
  });
});

async function said(name: string, shape: Table['shapes'][string], verb: readonly string[]): Promise<Said> {
  const cwd = join(world.box, 'case');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const filled = (text: string): string => text.replaceAll('<n>', name);
  writeFileSync(join(cwd, 'a.yaml'), filled(typeof shape === 'string' ? shape : shape.action));
  if (typeof shape !== 'string') writeFileSync(join(cwd, shape.file), filled(shape.is));
  return svc(cwd, verb);
}

function differences(name: string, verb: readonly string[], now: Said, usual: Said): readonly string[] {
  const what = `${name}: svc ${verb.join(' ')}`;
  const problems = [...contained(now.stdout), ...contained(now.stderr)];
  const isSame = now.exit === usual.exit && JSON.stringify(codesOf(now)) === JSON.stringify(codesOf(usual));
  // What is sound with a harmless name may be refused in words; what is refused there may not pass here.
  const isRefused = now.exit === 1 || now.exit === 2 || (codesOf(now).length > 0 && codesOf(usual).length > 0);
  if (now.exit > 2 || (!isSame && !isRefused))
    problems.push(`ends with ${now.exit} ${codesOf(now).join(' ')}, usually ${usual.exit} ${codesOf(usual).join(' ')}`);
  return problems.map((problem) => `${what}: ${problem}`);
}

function codesOf({ stdout, stderr }: Said): readonly string[] {
  return [...new Set((stdout + stderr).match(/SVC\d+/g))].sort();
}
