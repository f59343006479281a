import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { codes } from '#schemas/generated/codes.ts';

/**
 * Codes and slugs that were published: a line each. None ever changes its meaning, goes away or comes back as another
 * one; new ones are added by `UPDATE=1 npm test -- contracts/codes`.
 */
const list = path.join(import.meta.dirname, 'codes.txt');
const published = readFileSync(list, 'utf8').trimEnd().split('\n');
const today = codes.map(([code, slug]) => `${code} ${slug}`);

describe('codes', () => {
  it('keep their slugs, and none goes away', () => {
    const known = new Set(today);
    expect(published.filter((line) => !known.has(line))).toEqual([]);
  });

  it('are all listed', () => {
    const listed = new Set(published);
    const fresh = today.filter((line) => !listed.has(line));
    if (process.env['UPDATE'] && !process.env['CI'])
      writeFileSync(list, `${[...published, ...fresh].toSorted().join('\n')}\n`);
    else expect(fresh, 'add them with UPDATE=1').toEqual([]);
  });

  it('have five digits, and no slug stands twice', () => {
    expect(today.filter((line) => !/^SVC[1-9]\d{4} [a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(line))).toEqual([]);
    const slugs = codes.map(([, slug]) => slug);
    expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
  });
});
