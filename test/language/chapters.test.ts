import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { startSvc, svc } from '../cli/svc.ts';

/**
 * Samples of the language reference. A fence says what is done with its text: `yaml run FILE` is a file that passes
 * without a finding; `yaml wrong CODE` one that has this finding and no other; `yaml FILE` and `csv FILE` stand beside
 * them.
 */
interface Sample {
  readonly kind: 'run' | 'wrong' | 'file';
  readonly name: string;
  readonly text: string;
}

const folder = path.resolve(import.meta.dirname, '../../compiler/language');
const chapters = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');

function samplesOf(chapter: string): readonly Sample[] {
  const text = readFileSync(path.join(folder, chapter), 'utf8');
  return [...text.matchAll(/^```(\w+) ?(run |wrong )?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, , kind = '', name = '', sample = '']) => ({
      kind: kind === '' ? 'file' : (kind.trim() as 'run' | 'wrong'),
      name,
      text: sample,
    }),
  );
}

describe.each(chapters)('%s', (chapter) => {
  const samples = samplesOf(chapter);

  it('has a name for each of its samples', () => {
    expect(samples.filter(({ name }) => name === '')).toEqual([]);
    const fences = readFileSync(path.join(folder, chapter), 'utf8').match(/^```/gm) ?? [];
    expect(samples).toHaveLength(fences.length / 2);
  });

  it.each(samples.filter(({ kind }) => kind === 'run'))(
    '$name checks without a finding and passes',
    async ({ name }) => {
      const place = mkdtempSync(path.join(tmpdir(), 'svc-chapter-'));
      try {
        for (const sample of samples.filter(({ kind }) => kind !== 'wrong')) {
          mkdirSync(path.dirname(path.join(place, sample.name)), { recursive: true });
          writeFileSync(path.join(place, sample.name), sample.text);
        }
        const checked = await svc(place, ['check', name, '--json']);
        expect(JSON.parse(checked.stdout), name).toMatchObject({ diagnostics: [] });
        const ran = await startSvc(place, ['run', name]).ended;
        expect([ran.exit, ran.stdout], ran.stderr).toEqual([0, expect.stringContaining('passed')]);
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  );

  it.each(samples.filter(({ kind }) => kind === 'wrong'))(
    'a sample is refused with $name alone',
    async ({ name, text }) => {
      const { stdout, exit } = await svc(tmpdir(), ['check', '-', '--json'], { input: text });
      const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
      expect([exit, diagnostics.map(({ code }) => code)]).toEqual([1, [name]]);
    },
  );
});

describe('the tables of', () => {
  it.each([
    ['meta.md', 'action-file', '/$defs/meta/properties'],
    ['config.md', 'config', '/properties'],
  ])('%s name every key that its schema has', (chapter, contract, pointer) => {
    const text = readFileSync(path.join(folder, chapter), 'utf8');
    const rows = text.match(/^\|[^|]*\|/gm)?.join('') ?? '';
    const keys = keysAt(contract, pointer).filter((key) => !key.startsWith('$'));
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.filter((key) => !rows.includes(`\`${key}\``))).toEqual([]);
  });
});

function keysAt(contract: string, pointer: string): readonly string[] {
  const file = path.resolve(import.meta.dirname, `../../schemas/contracts/${contract}.schema.json`);
  let found: unknown = JSON.parse(readFileSync(file, 'utf8'));
  for (const key of pointer.split('/').slice(1)) found = (found as Readonly<Record<string, unknown>>)[key];
  return Object.keys(found as object);
}
