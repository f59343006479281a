import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { lacks } from '../fixtures/programs.ts';

const cannotCopy = lacks('git', 'npm');
/** Packages are installed without scripts (`.ci/bootstrap.cjs`), so what builds here builds anywhere. */
let other = '';
let place = '';
let isSameDisk = false;
beforeAll(async () => {
  if (cannotCopy) return;
  await built();
  place = realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-again-')));
  isSameDisk = statSync(place).dev === statSync(root).dev;
  // Deeper, and with characters that a path may have.
  other = path.join(place, 'a folder', 'node_modules.old', 'svc é');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name)))) {
    mkdirSync(path.dirname(path.join(other, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(other, file));
  }
  linked(path.join(root, 'node_modules'), path.join(other, 'node_modules'));
  execFileSync(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', '.ci/build/main.ts'],
    { cwd: other, stdio: 'ignore' },
  );
}, 600_000);
afterAll(() => place !== '' && rmSync(place, { recursive: true, force: true }));

/**
 * Makes a folder hold the same files under the same names: forty thousand are not copied, and not installed once more.
 */
function linked(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linked(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (isSameDisk) linkSync(source, target);
    else copyFileSync(source, target);
  }
}

function npm(args: readonly string[], cwd: string): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^npm_(config_(prefix|local_prefix|global|omit|include)|lifecycle|package|command)/i.test(key),
    ),
  );
  return execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function hashes(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== '.stamp',
  );
  const paths = files.map((entry) =>
    path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
  );
  return Object.fromEntries(paths.map((file) => [file, sha256(path.join(folder, file))]));
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function packed(cwd: string, name: string): string {
  const folder = path.join(place, name);
  mkdirSync(folder);
  const [made] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], cwd)) as {
    filename: string;
  }[];
  return sha256(path.join(folder, made?.filename ?? ''));
}

it.skipIf(cannotCopy)('dist is the same in two folders, with packages that were installed without scripts', () => {
  const [here, there] = [hashes(path.join(root, 'dist')), hashes(path.join(other, 'dist'))];
  expect(Object.keys(here).length).toBeGreaterThan(100);
  expect(there).toEqual(here);
});

it.skipIf(cannotCopy)(
  'the tarball is the same from two folders',
  () => {
    expect(packed(other, 'there')).toBe(packed(root, 'here'));
  },
  120_000,
);

it.skipIf(cannotCopy)(
  'what was installed without scripts runs and compiles',
  () => {
    const svc = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [path.join(other, 'dist/bin/svc.js'), ...args], {
        cwd: other,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(svc('--version')).toMatch(/^svc /);
    svc('compile', 'examples/files/back-up-and-verify.yaml', '-o', path.join(place, 'programs'));
    expect(readdirSync(path.join(place, 'programs'))).toContain('back-up-and-verify.mjs');
  },
  60_000,
);
