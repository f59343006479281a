import { describe, expect, it } from 'vitest';

import { compile, lint } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { placeOutputs } from '#compiler/phases/7-emit/outputs.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { explanations } from '#schemas/generated/explain.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { ExampleBlock, Explanation } from '#schemas/types/explanation.ts';

const shown = explanations.filter(({ kind, bad }) => kind === 'diagnostic' && bad.length > 0);
const catalogue = openCatalogue();

/** Findings of every door of the compiler about the files of an example; the first is the one that is listed. */
async function findings(
  blocks: readonly ExampleBlock[],
): Promise<readonly Pick<Diagnostic, 'code' | 'severity' | 'message'>[]> {
  const host = memoryHost({ cwd: '/work' });
  const files = blocks.map(({ name, language, text }) => [`/work/${name ?? `input.${language}`}`, text] as const);
  for (const [path, text] of files) await host.files.write(path, text, { parents: true });
  const sources = files
    .filter(([path], index) => index === 0 || (/\.(ya?ml|json)$/.test(path) && !path.includes('/node_modules/')))
    .map(([path]) => ({ path }));
  const options = { root: '/work', catalogue };
  const linted = await lint(sources, { ...options, lint: { preset: 'strict' } }, host);
  const compiled = await compile(sources, { ...options, for: 'run' }, host);
  return [...linted.diagnostics, ...compiled.diagnostics];
}

/** Two programs of one name are found by their places alone. */
function collides(blocks: readonly ExampleBlock[]): boolean {
  return placeOutputs(blocks.map(({ name = '' }) => ({ source: name, path: `/work/${name}` }))).collisions.length > 0;
}

describe('the examples of messages', () => {
  it('are there for nearly all of them: what cannot be shown in a few lines says so here', () => {
    const without = explanations
      .filter(({ kind, bad }) => kind === 'diagnostic' && bad.length === 0)
      .map(({ slug }) => slug);
    expect(without.filter((slug) => !unshown.has(slug))).toEqual([]);
  });

  it.each(
    shown
      .filter(({ slug }) => slug !== 'output-collision')
      .map((section): [string, Explanation] => [`${section.code} ${section.slug}`, section]),
  )('%s', async (_, { code, bad, good }) => {
    const wrong = await findings(bad);
    expect(
      wrong.map((found) => found.code),
      `Bad gives ${JSON.stringify(wrong.map(({ code: other, message }) => `${other}: ${message}`))}`,
    ).toContain(code);
    const right = await findings(good);
    expect(
      right
        .filter((found) => found.code === code || (found.severity === 'error' && !surroundings.has(found.code)))
        .map(({ code: other, message }) => `${other}: ${message}`),
    ).toEqual([]);
  });

  it('SVC70001 output-collision', () => {
    const section = explanations.find(({ slug }) => slug === 'output-collision');
    expect(collides(section?.bad ?? [])).toBe(true);
    expect(collides(section?.good ?? [])).toBe(false);
  });
});

/** An environment key that is not set is no fault of an example. */
const surroundings = new Set(['SVC40036']);

/**
 * Bytes that no Markdown can hold, sizes beyond a page, last resorts that no known text reaches, and what no parameter
 * asks for yet.
 */
const unshown = new Set([
  // No command is planned at the moment.
  'command-planned',
  'file-unreadable',
  'file-not-regular',
  'not-utf8',
  'utf16-file',
  'file-cut-off',
  'nul-character',
  'file-too-large',
  'too-deep',
  'too-many-aliased-values',
  'json-control-character',
  'yaml-control-character',
  'too-many-actions',
  'condition-too-deep',
  'condition-too-large',
  'reference-too-long',
  'too-many-values',
  'input-pattern-slow',
  'input-too-large',
  'tag-filter-too-deep',
  'tag-filter-unexpected',
  'tag-filter-incomplete',
  'tag-filter-empty',
  'unreadable-cron',
  'json-syntax',
  'pattern-unreadable',
  'unreadable-reference',
  'unreadable-condition',
  'several-forms-fit',
  'not-a-multiple',
  'output-overwrites-source',
]);
