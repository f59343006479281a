import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lacks } from '../fixtures/programs.ts';

/** Texts of each language: some thousands in all, or for hours. */
const COUNT = Number(process.env['MUTATIONS'] ?? (process.env['SVC_TEST_FULL'] === '1' ? 100_000 : 400));
const SEED = Number(process.env['SEED'] ?? 1);
const SECONDS = Math.max(120, COUNT / 10);

interface Found {
  readonly reader: string;
  readonly problem: string;
  readonly text: string;
}

/** Reads mutated texts in a process of its own under limits of the system; yields the lines that it wrote. */
function limited(): Promise<{ readonly lines: readonly string[]; readonly end: string }> {
  const limits = [`--cpu=${SECONDS}`, `--data=${1024 * 2 ** 20}`, '--core=0', `--fsize=${2 ** 20}`];
  const program = ['--conditions=source', join(import.meta.dirname, 'limited.ts'), String(COUNT), String(SEED)];
  const child = spawn('prlimit', [...limits, '--', process.execPath, ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  return new Promise((resolve) =>
    child.on('close', (code, signal) =>
      resolve({ lines: out.trimEnd().split('\n'), end: code === 0 ? '' : `${code ?? signal}: ${err.slice(-500)}` }),
    ),
  );
}

describe.runIf(process.platform === 'linux' && !lacks('prlimit'))(
  'every language, under limits of memory and time',
  () => {
    it(
      `${COUNT} mutated texts each, after those that are kept`,
      async () => {
        const { lines, end } = await limited();
        const found = lines.slice(0, -1).map((line) => JSON.parse(line) as Found);
        if (!process.env['CI']) for (const each of found) keep(each);
        expect(end).toBe('');
        expect(found.map(({ reader, problem, text }) => `${reader}: ${problem}: ${text.slice(0, 200)}`)).toEqual([]);
        const { done } = JSON.parse(lines.at(-1) ?? '') as { readonly done: number };
        expect(done).toBeGreaterThanOrEqual(10 * COUNT);
      },
      SECONDS * 4_000,
    );
  },
);

/** Writes down what failed, so that it goes first from now on. */
function keep({ reader, text }: Found): void {
  const folder = join(import.meta.dirname, 'kept-texts', reader);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.txt`), text);
}
