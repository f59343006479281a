import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { lacks } from '../fixtures/programs.ts';
import { beyond, leftByVerbs } from './beyond.ts';
import type { JobResult } from './job.ts';
import { contained } from './row-case.ts';
import { runJobs, type JobsOutcome } from './run-jobs.ts';
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

it('there are at least 14 shapes, and 14 names', () => {
  expect(Object.keys(shapes).length + Object.keys(words).length).toBeGreaterThanOrEqual(14);
  expect(names.length).toBeGreaterThanOrEqual(14);
});

interface Case {
  readonly what: string;
  readonly shape: Table['shapes'][string];
  readonly line: readonly string[];
}

const isFull = process.env['SVC_TEST_FULL'] === '1';
const action = 'actions: [[AT_set_variable, { name: a, value: 1 }]]\n';
/** Each shape is given to each verb; an ordinary run gives it to `check` and to one of the others in turn. */
const cases: readonly Case[] = [
  ...Object.entries(shapes).flatMap(([what, shape], index) =>
    verbs
      .filter((_verb, at) => isFull || at === 0 || at === 1 + (index % (verbs.length - 1)))
      .map((line) => ({ what, shape, line })),
  ),
  ...Object.entries(words).map(([what, line]) => ({ what, shape: action, line })),
];
/** The harmless one first. */
const tried = [plain, ...names];

describe.runIf(process.platform === 'linux' && !lacks('prlimit'))(
  'a name that every object has comes to the same as a harmless one, or is refused',
  () => {
    let world: World;
    let outcome: JobsOutcome;
    // One process for all, since starting it takes longer than what it does.
    beforeAll(async () => {
      world = openWorld();
      const jobs = cases.flatMap(({ shape, line }, at) =>
        tried.map((name) => ({
          cwd: lay(join(world.box, `${at}`, name), name, shape),
          words: line.map((word) => word.replaceAll('<n>', name)),
        })),
      );
      outcome = await runJobs(world, jobs, { seconds: 20, mib: 1536 });
    }, 300_000);
    afterAll(() => world.close());

    it.each([...Map.groupBy(cases.entries(), ([, { what }]) => what)])('%s', (_what, group) => {
      const problems = group.flatMap(([at, { line }]) => {
        const [usual, ...said] = outcome.results.slice(at * tried.length, (at + 1) * tried.length);
        return said.flatMap((now, index) => differences(names[index] ?? '', line, now, usual));
      });
      expect(problems).toEqual([]);
    });

    it('nothing outside is read or written, started or connected to', async () => {
      expect(await beyond(world, outcome.traces, leftByVerbs)).toEqual([]);
    });
  },
);

function lay(cwd: string, name: string, shape: Table['shapes'][string]): string {
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const filled = (text: string): string => text.replaceAll('<n>', name);
  writeFileSync(join(cwd, 'a.yaml'), filled(typeof shape === 'string' ? shape : shape.action));
  if (typeof shape !== 'string') writeFileSync(join(cwd, shape.file), filled(shape.is));
  return cwd;
}

function differences(
  name: string,
  verb: readonly string[],
  now: JobResult | undefined,
  usual: JobResult | undefined,
): readonly string[] {
  const what = `${name}: svc ${verb.join(' ')}`;
  if (now === undefined || usual === undefined) return [`${what}: ends the process, or takes too long`];
  const problems = [...contained(now.stdout), ...contained(now.stderr)];
  const isSame = now.exit === usual.exit && JSON.stringify(codesOf(now)) === JSON.stringify(codesOf(usual));
  // What is sound with a harmless name may be refused in words; what is refused there may not pass here.
  const isRefused = now.exit === 1 || now.exit === 2 || (codesOf(now).length > 0 && codesOf(usual).length > 0);
  if (now.exit > 2 || (!isSame && !isRefused))
    problems.push(`ends with ${now.exit} ${codesOf(now).join(' ')}, usually ${usual.exit} ${codesOf(usual).join(' ')}`);
  return problems.map((problem) => `${what}: ${problem}`);
}

function codesOf({ stdout, stderr }: JobResult): readonly string[] {
  return [...new Set((stdout + stderr).match(/SVC\d+/g))].sort();
}
