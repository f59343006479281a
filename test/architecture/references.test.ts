import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from '../built.ts';

/** Documents that do not stand in this repository: whoever reads the source could not look them up. */
const elsewhere = /\b(?:LANGUAGE|STYLE|DEPENDENCIES|TESTBEDS)(?:\.md| ?§| part \d)|\bthe specification document\b/;

test('no source or page refers to a document that is not in the repository', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.cjs', '*.md', '*.yaml', '*.json'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && file !== 'test/architecture/references.test.ts');
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (elsewhere.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
