import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { copyOfProject } from './copy.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { Judge } from './passes.ts';
import { testsOf, type TestRun } from './tests-of.ts';

/**
 * Changes a copy of the code in one small place after the other and runs the tests that answer for it: those that all
 * pass have a gap. What is known stands in `.cache/mutation.jsonl`, so that a run which was ended goes on.
 */
const root = path.resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '300' },
  },
});

interface Placed extends Mutant {
  readonly file: string;
  readonly original: string;
  /** Among changes of the file that read alike. */
  readonly occurrence: number;
}

interface Outcome {
  readonly key: string;
  readonly killed: boolean;
}

const journal = path.join(root, '.cache/mutation.jsonl');
const copy = copyOfProject(root);
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());

const judge = new Judge({ folder: copy.folder, seconds: Number(values.seconds), signal: ended.signal });
const unchanged = new Map<string, boolean>();
/** Files that were written since tests ran. */
const changed = new Set<string>();
const known = new Map(readJournal().map(({ key, killed }) => [key, killed]));
let killed = 0;
const survivors: string[] = [];
const chosen = sample(allMutants(), Number(values.sample), values.seed);
try {
  for (const [index, mutant] of chosen.entries()) {
    const key = keyOf(mutant);
    const isKilled = known.get(key) ?? (await judged(mutant, key));
    if (ended.signal.aborted) break;
    if (isKilled) killed += 1;
    else survivors.push(key);
    console.log(`${index + 1}/${chosen.length} ${isKilled ? 'killed  ' : 'SURVIVED'} ${key}`);
  }
} finally {
  judge.end();
  copy.remove();
}
console.log(
  `${killed} of ${killed + survivors.length} killed (${((100 * killed) / (killed + survivors.length)).toFixed(1)} %)`,
);
for (const key of survivors) console.log(`  survived: ${key}`);
process.exitCode = !ended.signal.aborted && killed >= chosen.length * 0.9 ? 0 : 1;

function readJournal(): readonly Outcome[] {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Outcome);
}

function allMutants(): readonly Placed[] {
  const only = new RegExp(values.only);
  const files = globSync(['stdlib/**/*.ts', 'runtime/kernel/**/*.ts'], { cwd: root })
    .filter((file) => only.test(file) && !file.endsWith('.d.ts'))
    .toSorted();
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const counts = new Map<string, number>();
    return mutantsOf(source).map((mutant) => {
      const original = source.slice(mutant.start, mutant.end);
      const like = `${mutant.kind}\n${original}\n${mutant.text}`;
      const occurrence = counts.get(like) ?? 0;
      counts.set(like, occurrence + 1);
      return { ...mutant, file, original, occurrence };
    });
  });
}

/** So many of them, the same for the same seed: changes elsewhere in the code leave the choice as it is. */
function sample(all: readonly Placed[], count: number, seed: string): readonly Placed[] {
  const ranks = new Map(all.map((mutant) => [mutant, rankOf(mutant, seed)]));
  return all.toSorted((a, b) => ((ranks.get(a) ?? '') < (ranks.get(b) ?? '') ? -1 : 1)).slice(0, count);
}

function rankOf({ file, kind, original, text, occurrence }: Placed, seed: string): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, file, kind, original, text, occurrence]))
    .digest('hex');
}

function keyOf({ file, start, original, text, kind }: Placed): string {
  const source = readFileSync(path.join(root, file), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  return `${file}:${line} ${kind}: ${oneLine(original)} -> ${oneLine(text)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 80);
}

async function judged({ file, start, end, text }: Placed, key: string): Promise<boolean> {
  const source = readFileSync(path.join(root, file), 'utf8');
  const isKilled = await someFails(file, source, source.slice(0, start) + text + source.slice(end));
  if (ended.signal.aborted) return false;
  mkdirSync(path.dirname(journal), { recursive: true });
  appendFileSync(journal, `${JSON.stringify({ key, killed: isKilled })}\n`);
  return isKilled;
}

/** Resolves with `true` when some test passes with the source as it is and fails with the changed one. */
async function someFails(file: string, source: string, mutated: string): Promise<boolean> {
  try {
    for (const run of testsOf(file, root)) {
      write(file, mutated);
      if (await passes(run)) continue;
      write(file, source);
      if (await passesUnchanged(run)) return true;
    }
    return false;
  } finally {
    write(file, source);
  }
}

function write(file: string, text: string): void {
  const place = path.join(copy.folder, file);
  writeFileSync(place, text);
  changed.add(place);
}

/** Tests that fail without a change kill nothing. */
async function passesUnchanged(run: TestRun): Promise<boolean> {
  const key = JSON.stringify(run);
  const before = unchanged.get(key);
  if (before !== undefined) return before;
  const passed = await passes(run);
  if (!passed) console.log(`these fail without a change, and count for nothing: ${key}`);
  unchanged.set(key, passed);
  return passed;
}

function passes(run: TestRun): Promise<boolean> {
  const files = [...changed];
  changed.clear();
  return judge.passes({ ...run, changed: files });
}
