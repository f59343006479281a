import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { functionName } from '#compiler/generate/messages/constructors.ts';
import { families, replacements } from '#schemas/generated/catalogue.ts';
import { codes } from '#schemas/generated/codes.ts';
import { registry } from '#schemas/generated/registry.ts';
import { allRules } from '#schemas/generated/all-rules.ts';
import { ruleFiles } from '#schemas/generated/rules.ts';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('names', () => {
  it('of lint rules forbid, require or check a form, and are slugs of messages', () => {
    const slugs = new Set(codes.map(([, slug]) => slug));
    expect(allRules.map(({ name }) => name)).toEqual(ruleFiles);
    for (const name of ruleFiles) {
      expect(name).toMatch(/^(no|use|valid)-[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slugs, name).toContain(name);
    }
  });

  it('of phases are those of their functions', () => {
    for (const folder of readdirSync(path.join(root, 'compiler/phases')).filter((name) => /^\d-/.test(name))) {
      const [, name = ''] = /^\d-([a-z]+)$/.exec(folder) ?? [];
      const text = readFileSync(path.join(root, 'compiler/phases', folder, 'index.ts'), 'utf8');
      expect(text, folder).toMatch(new RegExp(`^export (?:async )?function \\*?${name}\\b|^export (?:\\{|\\*).*`, 'm'));
    }
  });

  it('of functions stand in the folder of their family', () => {
    const folders = new Map(
      families.flatMap(({ domain, group, family, names }) =>
        names.split(' ').map((name) => [name, `#stdlib/${domain}/${group}/${family}/`] as const),
      ),
    );
    for (const [name, { module }] of Object.entries(registry))
      expect(module.startsWith(folders.get(name) ?? '?'), `${name} in ${module}`).toBe(true);
  });

  it('that migration replaces lead to commands that stay', () => {
    for (const [old, name] of Object.entries(replacements)) {
      expect(catalogue.has(name), old).toBe(true);
      expect(replacements[name], `${old} → ${name}`).toBeUndefined();
    }
  });

  it.skipIf(lacksGit)('of messages are all used: a message that nothing makes is none', async () => {
    const files = filesOfGit(root, { others: true }).filter((file) => file.endsWith('.ts'));
    const sources = files.filter(
      (file) => !/^(schemas\/generated|test)\//.test(file) && existsSync(path.join(root, file)),
    );
    const words = new Set(sources.flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\w+/g) ?? []));
    const verdicts = new Set((await catalogue.all()).flatMap(({ verdict }) => (verdict ? [verdict.message] : [])));
    expect(
      codes
        .filter(([, slug]) => !words.has(functionName(slug)) && !verdicts.has(slug))
        .map(([code, slug]) => `${code} ${slug}`),
    ).toEqual([]);
  });

  it('of codes are in order, each once', () => {
    const all = codes.map(([code]) => code);
    expect(all).toEqual([...new Set(all)].toSorted());
  });
});
