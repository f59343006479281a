import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { mutantsOf, type Mutant } from './mutants.ts';
import { testsOf } from './tests-of.ts';

/**
 * Changes the code in one small place after the other and runs the tests that answer for it: those that all pass have a gap.
 * A file is as it was when this ends. What is known stands in `.cache/mutation.jsonl`, so that a run which was ended goes on.
 */
const root = path.resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '240' },
  },
});

interface Placed extends Mutant {
  readonly file: string;
}

interface Outcome {
  readonly key: string;
  readonly killed: boolean;
}

const journal = path.join(root, '.cache/mutation.jsonl');
let open: { readonly path: string; readonly text: string } | undefined;
const restore = (): void => {
  if (open !== undefined) writeFileSync(open.path, open.text);
  open = undefined;
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    restore();
    process.exit(1);
  });

const unchanged = new Map<string, boolean>();
const known = new Map(readJournal().map(({ key, killed }) => [key, killed]));
let killed = 0;
const survivors: string[] = [];
const chosen = sample(allMutants(), Number(values.sample), Number(values.seed));
for (const [index, mutant] of chosen.entries()) {
  const key = keyOf(mutant);
  const isKilled = known.get(key) ?? judged(mutant, key);
  if (isKilled) killed += 1;
  else survivors.push(key);
  console.log(`${index + 1}/${chosen.length} ${isKilled ? 'killed  ' : 'SURVIVED'} ${key}`);
}
console.log(`${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %)`);
for (const key of survivors) console.log(`  survived: ${key}`);
process.exitCode = killed >= chosen.length * 0.9 ? 0 : 1;

function readJournal(): readonly Outcome[] {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Outcome);
}

function allMutants(): readonly Placed[] {
  const files = globSync(['stdlib/**/*.ts', 'runtime/kernel/**/*.ts'], { cwd: root })
    .filter((file) => file.includes(values.only) && !file.endsWith('.d.ts'))
    .toSorted();
  return files.flatMap((file) =>
    mutantsOf(readFileSync(path.join(root, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
  );
}

/** So many of them, the same for the same seed and code. */
function sample(all: readonly Placed[], count: number, seed: number): readonly Placed[] {
  const left = [...all];
  const taken: Placed[] = [];
  let state = seed;
  while (taken.length < count && left.length > 0) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    taken.push(...left.splice(Math.floor((state / 2 ** 32) * left.length), 1));
  }
  return taken;
}

function keyOf({ file, start, end, text, kind }: Placed): string {
  const source = readFileSync(path.join(root, file), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  return `${file}:${line} ${kind}: ${source.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)} -> ${text.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
}

function judged({ file, start, end, text }: Placed, key: string): boolean {
  const place = path.join(root, file);
  const source = readFileSync(place, 'utf8');
  open = { path: place, text: source };
  try {
    const mutated = source.slice(0, start) + text + source.slice(end);
    const isKilled = testsOf(file, root).some((run) => {
      writeFileSync(place, mutated);
      if (passes(run)) return false;
      writeFileSync(place, source);
      return passesUnchanged(run);
    });
    mkdirSync(path.dirname(journal), { recursive: true });
    appendFileSync(journal, `${JSON.stringify({ key, killed: isKilled })}\n`);
    return isKilled;
  } finally {
    restore();
  }
}

/** Whether tests pass without a change: those that do not kill nothing. */
function passesUnchanged(run: readonly string[]): boolean {
  const key = run.join(' ');
  const passed = unchanged.get(key) ?? passes(run);
  if (!passed && !unchanged.has(key)) console.log(`these fail without a change, and count for nothing: ${key}`);
  unchanged.set(key, passed);
  return passed;
}

/** Whether tests pass; those that do not end in time fail. */
function passes(run: readonly string[]): boolean {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    vitest,
    'run',
    '--config',
    'test/vitest.config.ts',
    '--bail',
    '1',
    '--maxWorkers',
    '1',
    '--passWithNoTests',
  ];
  const { status } = spawnSync(process.execPath, [...args, ...run], {
    cwd: root,
    stdio: 'ignore',
    timeout: Number(values.seconds) * 1000,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}
