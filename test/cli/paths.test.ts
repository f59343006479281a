import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { folderOf } from '#runtime/kernel/units/world.ts';
import { readReportRequest } from '#runtime/program/reports.ts';

import { built, commandLine } from '../built.ts';

import { lacks } from '../fixtures/programs.ts';
import { svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-paths-'));
const action = '- [AT_clear_variables]\n';
const files: Readonly<Record<string, string>> = {
  'svc.config.yaml': '{}\n',
  'a.yaml': action,
  'b.yml': action,
  'c.json': '[["AT_clear_variables"]]\n',
  'notes.yaml': 'remember: the milk\n',
  'package.json': '{"svc": [["AT_x"]]}\n',
  'sub/d e.yaml': action,
  'sub/ünï.yaml': action,
  'sub/[x].yaml': action,
  'sub/deep/f.yaml': action,
  'sub/shop.mock.yaml': 'http: { routes: [] }\n',
  'sub/x.schema.json': '{"title": "AT_x"}\n',
  'node_modules/p/g.yaml': action,
  'dist/h.yaml': action,
  '.hidden/i.yaml': action,
  'plan.json': '{"commands":{"AT_clear_variables":{"effects":[]}},"units":[]}',
  'record.json': '[{"command": "AT_clear_variables"}]\n',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync('a.yaml', join(folder, 'linked.yaml'));
  symlinkSync('sub', join(folder, 'linked-folder'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files that a run of these paths would take, in its order. */
async function listed(...paths: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, exit } = await svc(folder, ['run', ...paths, '--list', '--json'], { input: action });
  expect([exit, stderr], paths.join(' ')).toEqual([0, '']);
  return (JSON.parse(stdout) as readonly { readonly file: string }[]).map(({ file }) => file);
}

describe('paths of the command line', () => {
  test('a folder gives the action files below it, by name, links to files too; nothing of folders that tools make', async () => {
    expect(await listed('.')).toEqual([
      '.hidden/i.yaml',
      'a.yaml',
      'b.yml',
      'c.json',
      'linked.yaml',
      'sub/[x].yaml',
      'sub/d e.yaml',
      'sub/deep/f.yaml',
      'sub/ünï.yaml',
    ]);
    expect(await listed('sub/deep', 'sub')).toEqual([
      'sub/deep/f.yaml',
      'sub/[x].yaml',
      'sub/d e.yaml',
      'sub/ünï.yaml',
    ]);
  });

  test('a file is taken once, however it is called, in the order given', async () => {
    expect(await listed('c.json', './a.yaml', 'a.yaml', join(folder, 'a.yaml'), 'sub/../a.yaml')).toEqual([
      'c.json',
      'a.yaml',
    ]);
  });

  test('a pattern gives what it matches, sorted, but configurations and the like', async () => {
    expect(await listed('[acls]*.{yaml,json}')).toEqual(['a.yaml', 'c.json', 'linked.yaml']);
  });

  test.each([
    ['**/f.yaml', ['sub/deep/f.yaml']],
    ['sub/*e.yaml', ['sub/d e.yaml']],
    ['./sub/?nï.yaml', ['sub/ünï.yaml']],
    ['sub/{deep/f,d e}.yaml', ['sub/d e.yaml', 'sub/deep/f.yaml']],
  ] as const)('%s', async (pattern, expected) => {
    expect(await listed(pattern)).toEqual(expected);
  });

  test('a file whose name looks like a pattern is a file', async () => {
    expect(await listed('sub/[x].yaml')).toEqual(['sub/[x].yaml']);
  });

  test('standard input stands beside files', async () => {
    expect(await listed('-', 'a.yaml', '-')).toEqual(['<stdin>', 'a.yaml']);
  });

  test('a pattern that only matches what is no action file matches nothing', async () => {
    expect((await svc(folder, ['check', 'svc.config.*'])).stderr).toContain('No file matches "svc.config.*"');
    expect((await svc(folder, ['check', 'sub/*.schema.json'])).exit).toBe(2);
  });

  test('a file that is named is read, whatever it is', async () => {
    expect((await svc(folder, ['check', 'notes.yaml'])).exit).toBe(1);
  });

  test('a configuration is passed over beside action files, and alone is told what it is', async () => {
    expect(await listed('a.yaml', 'svc.config.yaml', 'b.yml')).toEqual(['a.yaml', 'b.yml']);
    const { exit, stderr } = await svc(folder, ['lint', './svc.config.yaml']);
    expect(exit).toBe(2);
    expect(stderr).toContain('"./svc.config.yaml" is the configuration of a project, and no action file.');
  });

  test('a file that is left out of the run is not read', async () => {
    const { stderr } = await svc(folder, ['run']);
    expect(stderr).toContain(
      '= Action files here: .hidden/i.yaml, a.yaml, b.yml, c.json, linked.yaml, sub/[x].yaml, sub/d e.yaml, sub/deep/f.yaml, sub/ünï.yaml\n',
    );
  });
});

describe('reports', () => {
  test.each([
    ['junit=C:\\reports\\junit.xml', undefined, { name: 'junit', file: 'C:\\reports\\junit.xml' }],
    ['html=a=b.html', undefined, { name: 'html', file: 'a=b.html' }],
    ['tap', undefined, { name: 'tap' }],
    ['tap', 'out', { name: 'tap', file: join('out', 'result.tap') }],
    ['html', undefined, { name: 'html', file: 'report.html' }],
    ['human', 'out', { name: 'human' }],
  ] as const)('%s in %s', (given, dir, expected) => {
    expect(readReportRequest(given, dir)).toEqual(expected);
  });
});

test('folders of files are found with slashes of either kind', () => {
  expect(folderOf('shop/order.yaml', 'C:\\work')).toBe('C:\\work/shop');
  expect(folderOf('D:/other/order.yaml', 'C:\\work')).toBe('D:/other');
  expect(folderOf('../up/order.yaml', 'C:\\work\\project')).toBe('C:\\work/up');
});

test.skipIf(process.platform === 'win32' || lacks('rmdir'))(
  'a folder that was removed under the command line holds nothing',
  async () => {
    await built();
    const gone = mkdtempSync(join(tmpdir(), 'svc-gone-'));
    for (const known of [gone, '']) {
      mkdirSync(gone, { recursive: true });
      const script = 'cd "$1" && rmdir "$1" && export PWD="$2" && shift 2 && exec "$@"';
      const words = [gone, known, process.execPath, ...commandLine, 'check', 'a.yaml'];
      const { status, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', ...words], { encoding: 'utf8' });
      expect([status, stderr.split('\n')[0]]).toEqual([2, 'error[SVC90110]: There is no file or folder "a.yaml".']);
    }
  },
);
