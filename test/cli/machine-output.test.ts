import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { misfits } from '../contracts/schema-of.ts';
import { startSvc, svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-machine-'));
const files = {
  'svc.config.yaml': 'lint: { preset: strict }\n',
  'good.yaml': 'meta: { tags: [x] }\nactions:\n- [AT_set_variable, { name: a, value: 1 }]\n',
  'fails.yaml': 'actions:\n- AT_get_variable: { name: a, default: 1 }\n  expect: result == 2\n- AT_clear_variables\n',
  'broken.yaml':
    '- AT_set_variable: { name: a, value: 1 }\n  id: x\n- [AT_get_variable, { nam: a }, { id: x }]\n- [WR_quit]\n- [AT_test_api_method, { http_method: get, test_url: "https://127.0.0.1/", verify: false }]\n',
  'needs.yaml': 'meta: { depends_on: [broken] }\nactions: [AT_clear_variables]\n',
  'circle.yaml': 'meta: { depends_on: [circle] }\nactions: [AT_clear_variables]\n',
  'inputs.yaml': 'meta: { inputs: { n: { type: integer } } }\nactions: [AT_clear_variables]\n',
  'cut.json': '{"actions": [[',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function output(...args: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await svc(folder, args);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout);
}

describe('machine output fits its schema', () => {
  test.each(['check', 'lint', 'migrate'])('of svc %s', async (verb) => {
    for (const names of [['good.yaml'], ['broken.yaml'], ['circle.yaml', 'cut.json'], ['.']])
      expect(misfits('diagnostic', await output(verb, ...names, '--json'))).toEqual([]);
  });

  test.each([
    ['what passes', ['good.yaml']],
    ['failures', ['fails.yaml', 'good.yaml']],
    ['repetitions', ['good.yaml', '--repeat', '2']],
    ['what only shows', ['good.yaml', '--dry-run']],
    ['files with errors', ['good.yaml', 'needs.yaml', 'broken.yaml', '--no-validate-first']],
    ['values that are missing', ['inputs.yaml']],
    ['the first failure', ['fails.yaml', 'good.yaml', '--fail-fast']],
  ] as const)('of svc run: %s', async (_, args) => {
    expect(misfits('run-summary', await output('run', ...args, '--json'))).toEqual([]);
  });

  test('of svc plan and svc commands', async () => {
    expect(misfits('plan', await output('plan', 'good.yaml', '--json'))).toEqual([]);
    expect(misfits('commands', await output('commands', 'list', 'cookie', '--json'))).toEqual([]);
  });

  test('of svc run --list, svc doctor, svc explain and svc commands show is JSON', async () => {
    expect(await output('run', 'good.yaml', '--list', '--json')).toEqual([
      { file: 'good.yaml', selected: true, steps: 1, of: 1 },
    ]);
    expect(await output('doctor', '--json')).toMatchObject({
      version: expect.any(String) as string,
      findings: expect.any(Array) as unknown[],
    });
    expect(await output('explain', 'SVC40002', '--json')).toMatchObject({ code: 'SVC40002', slug: 'unknown-command' });
    expect(await output('commands', 'show', 'FA_copy_file', '--json')).toMatchObject({ name: 'FA_copy_file' });
  });

  test('stands alone on standard output', async () => {
    const { stdout, stderr } = await svc(folder, ['run', 'fails.yaml', '--json', '--reporter', 'human']);
    expect(() => void JSON.parse(stdout)).not.toThrow();
    expect(stderr).toContain('✗ AT_get_variable');
  });
});

test('output that a full device refuses is told of, as no bug of svc', async ({ skip }) => {
  if (!existsSync('/dev/full')) skip('this machine has no /dev/full');
  const full = openSync('/dev/full', 'w');
  try {
    expect(await startSvc(tmpdir(), ['completion', 'bash'], {}, full).ended).toMatchObject({
      stderr: 'error[SVC90115]: "standard output" cannot be written: there is no space left.\n',
      exit: 2,
    });
  } finally {
    closeSync(full);
  }
});
