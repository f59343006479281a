import { expect } from 'vitest';

import { lint, type Linted } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { fixedTexts } from '#compiler/cli/lint/fix.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import type { LintConfiguration } from '#compiler/phases/lint/rule.ts';
import { human } from '#compiler/report/human.ts';
import { locate } from '#compiler/report/locate.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { codes } from '#schemas/generated/codes.ts';
import { ruleFiles } from '#schemas/generated/rules.ts';

export type Files = ReadonlyMap<string, string>;

export const catalogue = openCatalogue();

/**
 * Only the rule itself runs, so that a new rule changes nobody else's cases; what the engine says, it says of all
 * rules.
 */
export function configurationOf(rule: string): LintConfiguration {
  if (!ruleFiles.includes(rule)) return { preset: 'strict' };
  const severity = codes.find(([, slug]) => slug === rule)?.[2];
  if (severity === undefined || severity === 'failure') throw new Error(`there is no message for the rule "${rule}"`);
  return { preset: 'none', rules: { [rule]: severity } };
}

/** Lints some of the files that stand in one folder. */
export async function lintNamed(
  names: readonly string[],
  files: Files,
  configuration: LintConfiguration,
  shared: typeof catalogue = catalogue,
): Promise<Linted> {
  const host = memoryHost({ cwd: '/work' });
  for (const [name, text] of files) await host.files.write(`/work/${name}`, text, { parents: true });
  return lint(
    names.map((name) => ({ path: `/work/${name}` })),
    { root: '/work', catalogue: shared, lint: configuration },
    host,
  );
}

/** The findings as people see them, then the file after safe fixes where these change it. */
export async function outOf(
  name: string,
  files: Files,
  configuration: LintConfiguration,
  listed: readonly string[] = [name],
): Promise<string> {
  const linted = await lintNamed(listed, files, configuration);
  const text = human(locate(linted.diagnostics, sourcesOf(linted.compilation.files)), { colour: false });
  const fixed = await afterFixes(name, files, linted, configuration);
  return fixed === undefined ? text : `${text}\n=== after safe fixes\n${fixed}`;
}

async function afterFixes(
  name: string,
  files: Files,
  first: Linted,
  configuration: LintConfiguration,
): Promise<string | undefined> {
  let linted = first;
  let fixed: string | undefined;
  for (let round = 0; round < 10; round += 1) {
    const text = fixedTexts(linted).get(`/work/${name}`);
    if (text === undefined) return fixed;
    fixed = text;
    linted = await lintNamed([name], new Map([...files, [name, fixed]]), configuration);
  }
  return expect.fail(`the safe fixes of ${name} never come to an end`);
}
