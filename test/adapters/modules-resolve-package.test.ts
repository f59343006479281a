import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { resolvePackage } from '#runtime/adapters/modules/resolve-package.ts';

import { root } from '../built.ts';

/**
 * Every installed package with the subpaths that it offers, some that fit a pattern, and some that it does not have.
 */
function specifiers(): readonly string[] {
  const folder = join(root, 'node_modules');
  const packages = readdirSync(folder).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`)
      : name.startsWith('.')
        ? []
        : [name],
  );
  return packages
    .filter((name) => existsSync(join(folder, name, 'package.json')))
    .flatMap((name) => {
      const { exports } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
        readonly exports?: unknown;
      };
      const keys =
        typeof exports === 'object' && exports !== null
          ? Object.keys(exports).filter((key) => key.startsWith('./'))
          : [];
      return [
        name,
        `${name}/nothing-of-that-name`,
        `${name}/package.json`,
        ...keys.flatMap((key) => ['index', 'dist/index.js'].map((piece) => name + key.slice(1).replace('*', piece))),
      ];
    });
}

/** Program that prints Node's own answer; a file that is not there is no answer. */
const script = `
  import { existsSync, statSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const found = {};
  for (const name of JSON.parse(process.argv[1])) {
    try {
      const url = import.meta.resolve(name);
      const path = url.startsWith('file:') ? fileURLToPath(url) : '';
      found[name] = existsSync(path) && statSync(path).isFile() ? url : null;
    } catch {
      found[name] = null;
    }
  }
  console.log(JSON.stringify(found));
`;

test('packages are found where Node finds them', async () => {
  // Node reads names of its own modules first; a module of an action file is never one of those.
  const names = specifiers().filter((name) => !isBuiltin(name.split('/')[0] ?? ''));
  expect(names.length).toBeGreaterThan(300);
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify([...new Set(names)])],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const { files } = nodeHost();
  for (const [name, url] of Object.entries(JSON.parse(stdout) as Record<string, string | null>)) {
    const own = await resolvePackage(name, root, files);
    // Node tells the real path.
    expect(own === undefined ? null : await files.realPath(own), name).toBe(url === null ? null : fileURLToPath(url));
  }
});
