import { describe, expect, it } from 'vitest';

import { lint } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { printJson, printYaml } from '#grammar/document/print.ts';
import { readDocument } from '#grammar/document/read.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Span } from '#schemas/types/place.ts';

import { faults, groundOf, type Faulty } from './faults.ts';
import { soundFiles } from './sound-files.ts';

const catalogue = openCatalogue();
await catalogue.prepare(catalogue.allNames);
const sound = await soundFiles();

async function found(text: string, source: string): Promise<readonly Diagnostic[]> {
  const host = memoryHost({ cwd: '/work' });
  const options = { root: '/work', catalogue, lint: {}, variables: {} };
  return (await lint([{ path: `/work/${source}`, content: text }], options, host)).diagnostics;
}

/** Half of the files are YAML, half JSON. */
function written(value: Json, index: number): { readonly text: string; readonly source: string } {
  return index % 2 === 0
    ? { text: `${printYaml(value)}\n`, source: 'a.yaml' }
    : { text: `${printJson(value)}\n`, source: 'a.json' };
}

/**
 * Findings that only the surroundings decide, which are not there: files beside the example, variables of the
 * environment.
 */
const ofSurroundings = new Set([
  'unknown-environment-key',
  'dataset-missing',
  'dependency-missing',
  'module-not-found',
  'used-file-missing',
]);

/** Findings that examples show on purpose: keys and passwords of tests, waits, names of before. */
const deserved = new Set(['no-hardcoded-secret', 'no-hard-wait', 'old-command-name', 'old-parameter-name']);

const clean: { readonly name: string; readonly value: (typeof sound)[number]['value']; readonly index: number }[] = [];
const noisy: string[] = [];
for (const [index, { name, value }] of sound.entries()) {
  const { text, source } = written(value, index);
  const findings = (await found(text, source)).filter(({ severity }) => severity === 'error' || severity === 'warning');
  if (findings.length === 0) clean.push({ name, value, index });
  else if (!findings.some(({ slug }) => ofSurroundings.has(slug) || deserved.has(slug)))
    noisy.push(`${name}: ${findings.map(({ slug, message }) => `${slug} ${message}`).join(' | ')}`);
}

describe('sound files', () => {
  it('have neither errors nor warnings', () => {
    expect(noisy).toEqual([]);
    expect(clean.length).toBeGreaterThanOrEqual(400);
  });
});

interface Outcome {
  readonly kind: string;
  readonly name: string;
  readonly isReported: boolean;
  readonly isExact: boolean;
  readonly others: readonly string[];
  readonly said: string;
}

async function outcome(kind: string, name: string, faulty: Faulty, index: number): Promise<Outcome> {
  const { text, source } = written(faulty.value, index);
  const { document } = await readDocument(text, { source });
  const findings = (await found(text, source)).filter(({ severity }) => severity !== 'hint' && severity !== 'info');
  const at = document?.spanAt(faulty.route, faulty.part);
  const isInside = ({ primary }: Diagnostic): boolean => {
    const span = document?.spanAt(primary.route, primary.part);
    return span !== undefined && at !== undefined && covers(at, span);
  };
  return {
    kind,
    name,
    isReported: findings.length > 0,
    isExact: findings.some(isInside),
    others: findings
      .filter((finding) => finding.severity === 'error' && !isInside(finding))
      .map(({ message }) => message),
    said: findings.map(({ slug, message }) => `${slug} ${message}`).join(' | '),
  };
}

/** Prints the figures over all mistakes. */
function tell(outcomes: readonly Outcome[]): void {
  const count = (wants: (each: Outcome) => boolean): number => outcomes.filter(wants).length;
  const kinds = new Set(outcomes.map(({ kind }) => kind)).size;
  const figures = [`${outcomes.length} mistakes of ${kinds} kinds`, `${count(({ isReported }) => isReported)} found`];
  figures.push(`${count(({ isExact }) => isExact)} in place`, `${count(({ others }) => others.length > 0)} with more`);
  console.log(figures.join(', '));
}

/** The very place, or a part of the text that stands there. */
function covers(outer: Span, inner: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

const isFull = process.env['SVC_TEST_FULL'] === '1';

describe('files with one mistake', async () => {
  const kinds = Object.entries(faults);
  const outcomes: Outcome[] = [];
  for (const [turn, { name, value, index }] of clean.entries()) {
    const ground = groundOf(value, catalogue);
    if (ground === undefined) continue;
    for (let tries = 0; tries < kinds.length; tries += 1) {
      const [kind, fault] = kinds[(turn + tries) % kinds.length] ?? [];
      const faulty = kind === undefined ? undefined : fault?.(ground);
      if (kind === undefined || faulty === undefined) continue;
      outcomes.push(await outcome(kind, name, faulty, index));
      // Each file with one mistake, or with each that it can have.
      if (!isFull) break;
    }
  }
  if (isFull) tell(outcomes);
  const shown = ({ kind, name, said, others }: Outcome): string => `${kind} in ${name}: ${said} (${others.join('; ')})`;

  it('are at least 400, of at least 40 kinds', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(400);
    expect(new Set(outcomes.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40);
  });

  it('are found before a run', () => {
    const missed = outcomes.filter(({ isReported }) => !isReported);
    expect(missed.length / outcomes.length, missed.map(shown).join('\n')).toBeLessThanOrEqual(0.01);
  });

  it('are found where the mistake stands', () => {
    const elsewhere = outcomes.filter(({ isReported, isExact }) => isReported && !isExact);
    expect(elsewhere.length / outcomes.length, elsewhere.map(shown).join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('have no other error', () => {
    const more = outcomes.filter(({ isExact, others }) => isExact && others.length > 0);
    expect(more.map(shown)).toEqual([]);
  });
});
