import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { isAllowed } from '../../.ci/build/licences.ts';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};
interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(lock.packages).filter(([name]) => name !== '');

describe('package.json', () => {
  it('names exact versions', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.length).toBeGreaterThan(20);
    // DuckDB numbers the releases of its packages for Node with an end of its own.
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-r\.\d+)?$/.test(version))).toEqual([]);
  });

  it('names what the lock file holds', () => {
    const wrong = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version,
    );
    expect(wrong).toEqual([]);
  });
});

describe('the lock file', () => {
  it('holds no download addresses', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([name]) => name)).toEqual([]);
  });

  it('holds only licences that may be used', () => {
    const refused = locked.filter(
      ([name, entry]) =>
        !isAllowed(licenceOf(name, entry), entry.dev === true || entry.optional === true ? 'beside' : 'shipped'),
    );
    expect(refused.map(([name, entry]) => `${name}: ${licenceOf(name, entry)}`)).toEqual([]);
  });

  it('needs no install script of a package that users get', () => {
    // esbuild arrives whole in its platform package; its script only checks that.
    const scripts = locked
      .filter(([, entry]) => entry.hasInstallScript === true && entry.dev !== true && entry.optional !== true)
      .map(([name]) => name);
    expect(scripts).toEqual(['node_modules/esbuild']);
  });
});

describe.skipIf(lacksGit)('tracked files', () => {
  const files = filesOfGit(root).filter((file) => existsSync(path.join(root, file)));
  // Put together here, so that this file does not hold them itself.
  const paths = new RegExp(
    `(?<![\\w.])/(${['work', 'farm'].join('|')})/(main|shared|steering|in)\\b|/${'root'}/\\.|/home/[a-z]+/`,
  );
  const hosts = new RegExp(['registry', 'npmjs', 'org'].join('\\.') + '|' + ['registry', 'yarnpkg'].join('\\.'));

  it('hold no paths of a machine and no hosts of registries', () => {
    const hits = files
      .filter((file) => !/\.(png|jpg|zip|7z|gz|der|p12|ico|woff2?)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(path.join(root, file), 'utf8');
        return [paths, hosts].flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((hit) => `${file}: ${hit}`);
      });
    expect(files.length).toBeGreaterThan(100);
    expect(hits).toEqual([]);
  });
});

/**
 * Packages that name their licence in a file only (LGPL with the unRAR terms), in an older form, or by an address
 * (public domain).
 */
const inFiles: Readonly<Record<string, string>> = {
  'node_modules/busboy': 'MIT',
  'node_modules/dicer': 'MIT',
  'node_modules/humanize-number': 'MIT',
  'node_modules/only': 'MIT',
  'node_modules/streamsearch': 'MIT',
  'node_modules/7z-wasm': 'LGPL-2.1-or-later',
  'node_modules/buildcheck': 'MIT',
  'node_modules/cpu-features': 'MIT',
  'node_modules/ssh2': 'MIT',
  'node_modules/uri-templates': 'LicenseRef-Public-Domain',
};

function licenceOf(name: string, entry: Locked): string {
  const named = inFiles[name] ?? entry.license;
  if (named !== undefined) return named;
  const file = path.join(root, name, 'package.json');
  return existsSync(file)
    ? String((JSON.parse(readFileSync(file, 'utf8')) as { license?: string }).license ?? 'none')
    : 'unknown';
}
