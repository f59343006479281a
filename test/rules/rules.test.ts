import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openCatalogue } from '#compiler/catalogue.ts';
import { ruleNames } from '#compiler/phases/lint/index.ts';
import { allRules } from '#schemas/generated/all-rules.ts';
import { codes } from '#schemas/generated/codes.ts';

import { suite, type SuiteCase } from '../suite.ts';
import { configurationOf, lintNamed, outOf, type Files } from './lint-case.ts';

const folder = import.meta.dirname;
const comparing = new Set(allRules.filter(({ project }) => project).map(({ name }) => name));
const folders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '_actual')
  .map(({ name }) => name);

suite('rules', {
  folder,
  isGolden: (path) => path.endsWith('.out'),
  mostLines: 120,
  run: async ({ name: rule, files }: SuiteCase) => {
    const configuration = configurationOf(rule);
    const goldens = new Map<string, string>();
    for (const name of [...files.keys()].filter((each) => /^(?:in)?valid-.*\.(?:ya?ml|json)$/.test(each)).toSorted()) {
      // Rules that compare files are shown several.
      const listed = comparing.has(rule) ? [...files.keys()].filter((each) => /\.ya?ml$/.test(each)) : [name];
      const linted = await lintNamed(listed, files, configuration);
      const { compilation } = linted;
      const diagnostics = linted.diagnostics.filter(({ primary }) => primary.source === name);
      const own = diagnostics.filter(({ slug }) => slug === rule);
      const errors = compilation.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ code, message }) => `${code} ${message}`);
      if (!name.includes('broken'))
        expect(errors, `${rule}/${name} has errors, so that resolved rules stay silent`).toEqual([]);
      if (name.startsWith('valid-'))
        expect(
          diagnostics.map(({ slug, message }) => `${slug}: ${message}`),
          `${rule}/${name}`,
        ).toEqual([]);
      else {
        expect(own.length, `${rule}/${name} must be found`).toBeGreaterThan(0);
        goldens.set(name.replace(/\.\w+$/, '.out'), await outOf(name, files, configuration, listed));
      }
    }
    return goldens;
  },
});

describe('every rule', () => {
  it('has a folder, and every folder a rule', () => {
    expect(folders.toSorted()).toEqual(ruleNames);
  });

  it.each(folders)('%s has a valid and an invalid file, and a message', (rule) => {
    const names = [...filesOf(rule).keys()];
    expect(names.filter((name) => name.startsWith('valid-')).length).toBeGreaterThan(0);
    expect(names.filter((name) => name.startsWith('invalid-')).length).toBeGreaterThan(0);
    expect(names.filter((name) => !/^(?:in)?valid-/.test(name))).toEqual([]);
    expect(codes.some(([code, slug]) => slug === rule && code.startsWith('SVC3'))).toBe(true);
  });

  it('finds in each file the same, alone and among all others in one process', async () => {
    const shared = openCatalogue();
    const all: Files = new Map(
      folders.flatMap((rule) => [...filesOf(rule)].map(([name, text]) => [`${rule}/${name}`, text] as const)),
    );
    const together = await lintNamed([...all.keys()], all, { preset: 'strict' }, shared);
    const keyOf = ({ slug, primary: { route, part } }: (typeof together.diagnostics)[number]): string =>
      JSON.stringify([slug, route, part]);
    for (const name of all.keys()) {
      const [rule = '', own = ''] = name.split('/');
      const alone = await lintNamed([own], filesOf(rule), { preset: 'strict' });
      const among = together.diagnostics.filter(({ primary }) => primary.source === name);
      expect(among.filter(({ slug }) => !comparing.has(slug)).map(keyOf), name).toEqual(alone.diagnostics.map(keyOf));
    }
  });
});

function filesOf(rule: string): Files {
  const names = readdirSync(join(folder, rule)).filter((name) => /\.(?:ya?ml|json)$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, rule, name), 'utf8')]));
}
