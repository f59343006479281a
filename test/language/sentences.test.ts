import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { svc } from '../cli/svc.ts';
import { requireProgram } from '../fixtures/programs.ts';

/**
 * Sentences of the language's contract that no case elsewhere shows, in the order in which they stand there, each with
 * files that hold it to its word.
 */
interface Sentence {
  readonly says: string;
  /** Files by name; the first is the one that is checked, or run. */
  readonly files: Readonly<Record<string, string>>;
  /** Codes of `svc check`, each with its place. */
  readonly findings?: readonly string[];
  /** Records of `svc run`: id, occurrence, status, `again` where a later attempt takes its place, and the failure. */
  readonly steps?: readonly string[];
  /** Number of attempts of each record of `svc run`: id and number. */
  readonly attempts?: readonly string[];
  readonly args?: readonly string[];
  readonly exit?: number;
  /** Programs that its steps start. */
  readonly programs?: readonly Parameters<typeof requireProgram>[0][];
}

interface Recorded {
  readonly id: string;
  readonly row?: number;
  readonly occurrence?: number;
  readonly status: string;
  readonly superseded?: boolean;
  readonly attempts?: number;
  readonly error?: { readonly message: string };
}

const tables = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));

describe.each(tables)('%s', (table) => {
  const sentences = load(readFileSync(path.join(import.meta.dirname, table), 'utf8')) as readonly Sentence[];

  it.each(sentences)('$says', async ({ files, findings, steps, attempts, args = [], exit, programs = [] }) => {
    programs.forEach(requireProgram);
    const place = mkdtempSync(path.join(tmpdir(), 'svc-sentence-'));
    try {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
        writeFileSync(path.join(place, name), text);
      }
      const [main = ''] = Object.keys(files);
      const checked = findings === undefined ? undefined : await findingsOf(place, main, args);
      expect(checked).toEqual(findings);
      if (steps === undefined && attempts === undefined && exit === undefined) return;
      const ran = await recordsOf(place, main, args);
      const expected = { steps: steps ?? ran.steps, attempts: attempts ?? ran.attempts, exit: exit ?? ran.exit };
      expect(ran).toEqual(expected);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

async function findingsOf(place: string, main: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await svc(place, ['check', main, '--json', ...args]);
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly file: string; readonly line: number }[];
  };
  return diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`);
}

async function recordsOf(
  place: string,
  main: string,
  args: readonly string[],
): Promise<{ readonly steps: readonly string[]; readonly attempts: readonly string[]; readonly exit: number }> {
  const { exit, stderr } = await svc(place, ['run', main, '--record', 'records.jsonl', ...args]);
  const text = readFileSync(path.join(place, 'records.jsonl'), { encoding: 'utf8', flag: 'a+' });
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return { steps: [stderr], attempts: [], exit };
  const records = lines.map((line) => JSON.parse(line) as Recorded);
  return {
    steps: records.map((record) => told(record, main)),
    attempts: records.map((record) => `${nameOf(record.id, main)} ${record.attempts ?? 0}`),
    exit,
  };
}

function told({ id, row, occurrence, status, superseded, error }: Recorded, main: string): string {
  const often = occurrence === undefined ? '' : ` ${occurrence}`;
  const ofRow = row === undefined ? '' : ` row ${row}`;
  return `${nameOf(id, main)}${ofRow}${often} ${status}${superseded ? ' again' : ''}${error ? `: ${error.message}` : ''}`;
}

function nameOf(id: string, main: string): string {
  return id.startsWith(`${main}#`) ? id.slice(main.length + 1) : id;
}
