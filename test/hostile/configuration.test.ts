import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readConfiguration } from '#compiler/engine/configuration/read-configuration.ts';

import { svc } from '../cli/svc.ts';

let root = '';
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-configuration-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const download = '- [FA_download_file, { file_url: "http://127.0.0.1:9/x", file_name: x }]\n';

describe('a configuration in a folder of the project opens nothing that those above it keep closed', () => {
  test.each([
    ['a gate that is closed by default', '{}', 'gates: { private: true }', 'gates.private'],
    ['a gate that is closed above', 'gates: { shell: false }', 'gates: { shell: true }', 'gates.shell'],
    ['paths outside', '{}', 'allow_outside: [../../..]', 'allow_outside.0'],
    ['modules', 'allow_packages: [good]', 'allow_packages: [good, evil]', 'allow_packages.1'],
    [
      'the program of the browser',
      'gates: { shell: false }',
      'browser: { executable_path: ./evil }',
      'browser.executable_path',
    ],
    ['schemes of storage', 'storage: { schemes: [local] }', 'storage: { schemes: [local, sftp] }', 'storage.schemes.1'],
    ['values that are masked', '{}', 'public_env: [SOME_TOKEN]', 'public_env.0'],
    ['a limit', 'limits: { file_bytes: 1000 }', 'limits: { file_bytes: 100000 }', 'limits.file_bytes'],
    ['a limit that has its default above', '{}', 'limits: { file_bytes: 1000000000 }', 'limits.file_bytes'],
  ])('%s', async (_, above, nested, setting) => {
    put('svc.config.yaml', `${above}\n`);
    put('tests/evil/svc.config.yaml', `${nested}\n`);
    put('tests/evil/a.yaml', '- AT_clear_variables\n');
    for (const verb of ['check', 'run']) {
      const { exit, stderr } = await svc(root, [verb, 'tests/evil/a.yaml']);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining(`"${setting}" opens what "${join(root, 'svc.config.yaml')}" keeps closed`),
      ]);
    }
  });

  test('what is closed above stays closed where nothing is said', async () => {
    put(
      'svc.config.yaml',
      'gates: { shell: false, private: true }\nallow_packages: [good, ./tools]\nsecrets: { env: [ODD] }\nlimits: { file_bytes: 1000 }\n',
    );
    put('tests/svc.config.yaml', 'durable: true\n');
    const { settings, limits } = await readConfiguration(join(root, 'tests'));
    expect([settings.gates, settings.allow_packages, settings.secrets, limits, settings.durable]).toEqual([
      { shell: false },
      ['good', '../tools'],
      { env: ['ODD'] },
      { file_bytes: 1000 },
      true,
    ]);
  });

  test('it may close, and open what is open above', async () => {
    put('svc.config.yaml', 'gates: { private: true }\n');
    put('tests/svc.config.yaml', 'gates: { private: true, shell: false }\nallow_outside: [../data]\n');
    const { settings, outside } = await readConfiguration(join(root, 'tests'));
    expect([settings.gates, outside]).toEqual([{ private: true, shell: false }, [join(root, 'data')]]);
  });

  test('a run of the whole project is refused where a folder in it opens what the project keeps closed', async () => {
    put('svc.config.yaml', '{}\n');
    put('a-first/svc.config.yaml', 'gates: { private: true }\n');
    put('a-first/a.yaml', download);
    put('b.yaml', '- AT_clear_variables\n');
    for (const paths of [['.'], ['b.yaml', 'a-first'], ['**/*.yaml']]) {
      const { exit, stderr } = await svc(root, ['run', ...paths]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('"gates.private" opens what')]);
    }
  });

  test('the configuration of a folder holds for its own files alone', async () => {
    put('svc.config.yaml', 'gates: { private: true }\n');
    put('a-first/svc.config.yaml', 'gates: { private: false }\n');
    put('a-first/a.yaml', download);
    put('b.yaml', download);
    const { stdout } = await svc(root, ['run', '.']);
    expect(stdout.match(/ECONNREFUSED/g), stdout).toHaveLength(1);
    expect(stdout).toMatch(/private|loopback/);
  });

  test('the command line opens what it names', async () => {
    put('svc.config.yaml', '{}\n');
    put('tests/svc.config.yaml', '{}\n');
    put('tests/a.yaml', download);
    expect((await svc(root, ['run', 'tests/a.yaml'])).stdout).toMatch(/private|loopback/);
    expect((await svc(root, ['run', 'tests/a.yaml', '--allow', 'private'])).stdout).toContain('ECONNREFUSED');
  });
});
