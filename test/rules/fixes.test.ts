import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { plan } from '#compiler/api.ts';
import { fixedTexts } from '#compiler/cli/lint/fix.ts';
import type { LintConfiguration } from '#compiler/phases/lint/rule.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { fixEdits } from '#compiler/report/fix-edits.ts';
import { locate } from '#compiler/report/locate.ts';
import { readDocument } from '#grammar/document/read.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { explanations } from '#schemas/generated/explain.ts';

import { catalogue, configurationOf, lintNamed, type Files } from './lint-case.ts';

const cases = globSync('*/invalid-*.{yaml,json}', { cwd: import.meta.dirname }).toSorted();

function filesOf(rule: string): Files {
  const names = globSync('*.{yaml,json,csv}', { cwd: join(import.meta.dirname, rule) });
  return new Map(names.map((name) => [name, readFileSync(join(import.meta.dirname, rule, name), 'utf8')]));
}

/** The file after rounds of safe fixes, until there are none. */
async function fixed(name: string, files: Files, configuration: LintConfiguration): Promise<string> {
  let text = files.get(name) ?? '';
  for (let round = 0; round < 20; round += 1) {
    const linted = await lintNamed([name], new Map([...files, [name, text]]), configuration);
    const next = fixedTexts(linted).get(`/work/${name}`);
    if (next === undefined) return text;
    text = next;
  }
  return expect.fail(`the fixes of ${name} never come to an end`);
}

async function planOf(name: string, files: Files): Promise<string | undefined> {
  const host = memoryHost({ cwd: '/work' });
  for (const [each, text] of files) await host.files.write(`/work/${each}`, text, { parents: true });
  const compilation = await plan([{ path: `/work/${name}` }], { root: '/work', catalogue }, host);
  return compilation.hasErrors ? undefined : compilation.seal().text;
}

async function commentsOf(text: string, name: string): Promise<readonly string[]> {
  const { document } = await readDocument(text, { source: name });
  return (document?.comments() ?? [])
    .map((comment) => comment.text)
    .filter((comment) => !comment.startsWith('svc-ignore'));
}

describe('safe fixes', () => {
  it.each(cases)('of %s leave the plan as it was, or their page says how it differs', async (path) => {
    const rule = dirname(path);
    const name = basename(path);
    const files = filesOf(rule);
    const after = await fixed(name, files, configurationOf(rule));
    if (after === files.get(name)) return;
    const [before, now] = [await planOf(name, files), await planOf(name, new Map([...files, [name, after]]))];
    expect(before === undefined || now !== undefined, 'the fix breaks the file').toBe(true);
    const page = explanations.find(({ slug }) => slug === rule)?.text ?? '';
    if (now !== before) expect(page).toMatch(/\bplan\b/);
    expect(await commentsOf(after, name)).toEqual(await commentsOf(files.get(name) ?? '', name));
  });

  it('of all rules together come to an end, break nothing and keep comments', async () => {
    for (const path of cases) {
      const files = filesOf(dirname(path));
      const name = basename(path);
      const after = await fixed(name, files, { preset: 'strict' });
      if (after === files.get(name)) continue;
      expect(await commentsOf(after, name), path).toEqual(await commentsOf(files.get(name) ?? '', name));
      if ((await planOf(name, files)) !== undefined)
        expect(await planOf(name, new Map([...files, [name, after]])), path).toBeDefined();
    }
  });
});

/** The file after each unsafe fix that is offered for it, one at a time. */
async function suggested(name: string, files: Files, configuration: LintConfiguration): Promise<readonly string[]> {
  const linted = await lintNamed([name], files, configuration);
  const sources = sourcesOf(linted.compilation.files);
  return locate(linted.diagnostics, sources).flatMap((finding) =>
    finding.diagnostic.fixes
      .filter(({ safety }) => safety === 'unsafe')
      .map((fix) => applyEdits(files.get(name) ?? '', fixEdits(finding, fix, sources))),
  );
}

describe('suggestions', () => {
  it.each(cases)('of %s leave a file that can be planned', async (path) => {
    const name = basename(path);
    const files = filesOf(dirname(path));
    if ((await planOf(name, files)) === undefined) return;
    for (const after of await suggested(name, files, configurationOf(dirname(path)))) {
      expect(await planOf(name, new Map([...files, [name, after]])), after).toBeDefined();
      expect(await commentsOf(after, name), after).toEqual(await commentsOf(files.get(name) ?? '', name));
    }
  });

  const loops = readFileSync(join(import.meta.dirname, 'use-for-each', 'invalid-loops.yaml'), 'utf8');

  it('of "use-for-each" keep what a failure does, names in use, and the form of the step', async () => {
    const files = new Map([['a.yaml', loops]]);
    const after = await suggested('a.yaml', files, configurationOf('use-for-each'));
    expect(after.map((text) => changedLines(loops, text))).toMatchInlineSnapshot(`
      [
        "- for_each: [one, two, three, four]
        do: [{ FA_create_dir: "{{item}}" }]",
        "- for_each: [a, b, c, d]
        as: each
        do:
          - FA_create_file: { file_path: "{{item}}.txt", content: "{{each}}" }
            tags: [write]
        on_failure: continue",
        "  - for_each: [a, b, c, d]
          do: [[FA_remove_file, ["{{item}}"]]]
          on_failure: continue",
        "  then: [{ for_each: [e, f, g, h], do: [[FA_create_dir, ["{{item}}"]]], on_failure: continue }]",
      ]
    `);
  });
});

function changedLines(before: string, after: string): string {
  const old = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !old.has(line))
    .join('\n');
}
