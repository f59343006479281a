import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { isAllowed } from '../../.ci/build/licences.ts';
import { licenceFiles, noticesFor, noticesText } from '../../.ci/build/notices.ts';
import { shippedFiles } from '../../.ci/build/shipped-files.ts';
import { built, root } from '../built.ts';

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const manifest = readJson('package.json') as Manifest;
const lock = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, { version: string }>> };

beforeAll(built, 300_000);

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}
function bundled(): readonly { readonly name: string; readonly version: string; readonly licence: string }[] {
  const text = readFileSync(path.join(root, 'dist/third-party-notices.txt'), 'utf8');
  return text
    .split('='.repeat(80))
    .slice(1)
    .flatMap((part) => {
      const names = part.slice(1, part.indexOf('\n\n')).split('\n');
      return names.map((line) => {
        const [, name = '', version = '', licence = ''] = /^(\S+) (\S+) \((.*)\)$/.exec(line) ?? [];
        return { name, version, licence };
      });
    });
}

describe('dependencies', () => {
  it('are the packages that the built files import, no more and no fewer; optional ones are peers', () => {
    const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    const imports = files.flatMap((file) => {
      const text = readFileSync(path.join(root, 'dist', file), 'utf8');
      return [...text.matchAll(/\bimport\("((?:@[\w-]+\/)?[a-z][\w-]*)[^":]*"\)/g)].map(([, name = '']) => name);
    });
    const foreign = [...new Set(imports)].filter(
      (name) =>
        name !== manifest.name &&
        !Object.hasOwn(manifest.peerDependencies, name) &&
        // Programs alone ask for it; the command line reads its file.
        !Object.hasOwn(shippedFiles, name),
    );
    expect(foreign.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(Object.keys(manifest.dependencies));
  });
});

describe('files of packages', () => {
  it('are shipped byte by byte, with the texts of their licences and nothing else', () => {
    for (const [name, files] of Object.entries(shippedFiles)) {
      const home = path.join(root, 'node_modules', name);
      const shipped = path.join(root, 'dist/shipped', name);
      expect(readdirSync(shipped).toSorted()).toEqual([...files, ...licenceFiles(home)].toSorted());
      for (const file of readdirSync(shipped))
        expect(readFileSync(path.join(shipped, file)).equals(readFileSync(path.join(home, file)))).toBe(true);
    }
    expect(readdirSync(path.join(root, 'dist/shipped'))).toEqual(Object.keys(shippedFiles));
  });

  it('have no line in a bundle', () => {
    const marks = Object.keys(shippedFiles).map((name) => `node_modules/${name}/`);
    const bundles = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js') && !file.startsWith('shipped'),
    );
    expect(bundles.length).toBeGreaterThan(50);
    for (const file of bundles) {
      const text = readFileSync(path.join(root, 'dist', file), 'utf8');
      expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
    }
  });
});

describe('notices', () => {
  it('name every package that is bundled, in the version of the lock file, with a licence that may be shipped', () => {
    const found = bundled();
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['undici', 'js-yaml', 'selenium-webdriver', 'pg', 'mysql2', 'chevrotain']),
    );
    expect(found.length).toBeGreaterThan(50);
    const versions = Map.groupBy(Object.entries(lock.packages), ([file]) => file.replace(/^.*node_modules\//, ''));
    const unknown = found.filter(
      ({ name, version }) => !versions.get(name)?.some(([, entry]) => entry.version === version),
    );
    expect(unknown).toEqual([]);
    const asFiles = found.filter(({ licence }) => !isAllowed(licence, 'shipped'));
    expect(asFiles.map(({ name }) => name)).toEqual(Object.keys(shippedFiles));
    expect(asFiles.filter(({ licence }) => !isAllowed(licence, 'as-files'))).toEqual([]);
  });

  it('hold each text once, below the packages that it belongs to', () => {
    const text = noticesText([
      { name: 'b', version: '2.0.0', license: 'MIT', texts: ['Permission is granted.'] },
      { name: 'a', version: '1.0.0', license: 'MIT', texts: ['Permission is granted.'] },
      { name: 'c', version: '3.0.0', license: 'ISC', author: { name: 'Ada' }, texts: [] },
    ]);
    expect(text.split('Permission is granted.')).toHaveLength(2);
    expect(text).toContain('a 1.0.0 (MIT)\nb 2.0.0 (MIT)\n\nPermission is granted.\n');
    expect(text).toContain('c 3.0.0 (ISC)\n\nLicence: ISC, as its package.json says; author: Ada.\n');
  });

  it('say of files that are shipped as they are where their source is', () => {
    const text = readFileSync(path.join(root, 'dist/third-party-notices.txt'), 'utf8');
    expect(text).toMatch(
      /^axe-core ([\d.]+) \(MPL-2\.0\)\n\nUnmodified, each as a file of its own: shipped\/axe-core\/axe\.min\.js\. Source: https:\/\/github\.com\/dequelabs\/axe-core, version \1\.\n/m,
    );
    expect(text).toContain('Mozilla Public License, version 2.0');
  });

  it('are refused for a licence that is not on the list', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-notices-'));
    mkdirSync(path.join(folder, 'x'));
    writeFileSync(path.join(folder, 'x/package.json'), '{"name":"x","version":"1.0.0","license":"GPL-3.0-only"}');
    expect(() => noticesFor([path.relative(root, path.join(folder, 'x'))])).toThrow(
      'not to be bundled: x (GPL-3.0-only)',
    );
    expect(() => noticesFor(['node_modules/axe-core'])).toThrow('not to be bundled: axe-core (MPL-2.0)');
    rmSync(folder, { recursive: true });
  });
});

it.each([
  ['MIT', true, true],
  ['(MIT OR GPL-3.0-or-later)', true, true],
  ['(MIT AND Zlib)', true, true],
  ['MPL-2.0', false, true],
  ['LGPL-3.0-or-later', false, true],
  ['MIT AND GPL-2.0-only', false, false],
  ['GPL-3.0-or-later', false, false],
  ['AGPL-3.0-only', false, false],
  ['SEE LICENSE IN license.txt', false, false],
  ['UNLICENSED', false, false],
  ['', false, false],
  [undefined, false, false],
])('the licence %s may be shipped: %s, used beside: %s', (licence, shipped, beside) => {
  expect([isAllowed(licence, 'shipped'), isAllowed(licence, 'beside')]).toEqual([shipped, beside]);
});

it.each([
  ['MIT', true],
  ['MPL-2.0', true],
  ['LGPL-3.0-or-later', false],
  ['GPL-3.0-or-later', false],
  [undefined, false],
])('a file under the licence %s may be shipped as it is: %s', (licence, may) => {
  expect(isAllowed(licence, 'as-files')).toBe(may);
});

it('the licence stands at the top, whole', () => {
  const text = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  expect(text).toContain('Apache License\n                           Version 2.0, January 2004');
  expect(text.length).toBeGreaterThan(11_000);
});

it('npm sbom lists every package that users get, bundled or installed, with its licence', () => {
  const text = execFileSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { components } = JSON.parse(text) as {
    readonly components: readonly {
      readonly name: string;
      readonly version: string;
      readonly licenses?: readonly unknown[];
    }[];
  };
  const listed = new Map(
    components.map(({ name, version, licenses }) => [`${name}@${version}`, licenses?.length ?? 0]),
  );
  const wanted = [
    ...bundled().map(({ name, version }) => `${name}@${version}`),
    ...Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`),
  ];
  expect(wanted.filter((name) => (listed.get(name) ?? 0) === 0)).toEqual([]);
}, 60_000);
