import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { codes } from '#schemas/generated/codes.ts';

const test = join(import.meta.dirname, '..');

/** Every text that a case holds as expected. */
function goldens(): string {
  const folders = ['phases', 'migrate', 'projects', 'grammar', 'hostile'].map((name) => join(test, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return files
    .filter((path) => /\.(txt|yaml|test\.ts)$/.test(path) && !path.includes('_actual'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

/** Last resorts that no known text reaches, and what the closed set of declarations asks for nowhere. */
const UNREACHED = new Set([
  // No command is planned at the moment; `test/generate/scaffold.test.ts` makes one.
  'command-planned',
  'json-syntax',
  'unreadable-reference',
  'unreadable-condition',
  'unreadable-cron',
  'not-a-multiple',
  'several-forms-fit',
  'pattern-unreadable',
  // Tag filters stand at the command line only: test/grammar holds their problems, test/cli what is said of them.
  'tag-filter-unexpected',
  'tag-filter-incomplete',
  'tag-filter-empty',
  'tag-filter-too-deep',
]);

describe('every finding of parse, migrate, resolve, plan and check', () => {
  it('stands in a golden', () => {
    const text = goldens();
    const wanted = codes.filter(
      ([code, slug, severity]) => /^SVC[12456]/.test(code) && severity !== 'failure' && !UNREACHED.has(slug),
    );
    expect(
      wanted
        .filter(([code, slug]) => !text.includes(code) && !text.includes(slug))
        .map(([code, slug]) => `${code} ${slug}`),
    ).toEqual([]);
  });
});
