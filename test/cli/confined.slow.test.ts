import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { openWorld } from '../hostile/world.ts';
import { svcWithin } from '../hostile/within-limits.ts';
import type { Said } from './svc.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-confined-')));
const project = join(folder, 'project');
const old = 'webdriver_wrapper:\n- [WR_SaveTestObject, { test_object_name: a, object_type: ID }]\n';

beforeAll(async () => {
  await built();
  const files: Readonly<Record<string, string>> = {
    'project/svc.config.yaml': 'lint: { rules: { no-hard-wait: error } }\n',
    'project/.env': 'KNOWN=1\n',
    'project/.env.staging': 'OTHER=2\n',
    'project/good.yaml':
      'meta: { dataset: rows.csv, depends_on: [first], modules: [./own.mjs] }\nactions:\n- [AT_set_variable, { name: a, value: "${ROW.a} ${ENV.KNOWN}" }]\n- own_call\n',
    'project/first.yaml': 'actions: [[AT_clear_variables]]\n',
    'project/own.mjs': 'export const call = () => 1;\n',
    'project/rows.csv': 'a\n1\n',
    'project/bad.yaml': '- [AT_set_variabel, { name: a }]\n- [AT_set_variable, { name: a, value: "${ENV.NONE}" }]\n',
    'other/.git/HEAD': '',
    'other/foreign.yaml':
      'meta: { dataset: ../beside.csv, depends_on: [../beside], modules: [../beside.mjs] }\nactions: [[AT_clear_variables]]\n',
    'project/deep/er/old one,*.yaml': old,
    'beside.csv': 'a\n1\n',
    'beside.yaml': 'actions: [[AT_clear_variables]]\n',
    'beside.mjs': 'export const call = () => 1;\n',
    'beside.env': 'NONE=1\n',
  };
  for (const made of ['project/deep/er', 'other/.git']) mkdirSync(join(folder, made), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function said(words: readonly string[], cwd = project): Said {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'dist/bin/svc.js'), ...words], {
    cwd,
    encoding: 'utf8',
  });
  return { stdout, stderr, exit: status ?? -1 };
}

describe('svc --confined', () => {
  it.each(
    [
      ['check', 'good.yaml'],
      ['check', 'bad.yaml'],
      ['check', '--json', '.'],
      ['lint', 'good.yaml', 'bad.yaml'],
      ['lint', '--format', 'sarif', 'bad.yaml'],
      ['plan', 'good.yaml'],
      ['plan', '--format', 'mermaid', 'first.yaml'],
      ['migrate', '.'],
      ['migrate', '--check', 'deep'],
      ['check', '--env', 'staging', 'bad.yaml'],
      ['check', '--dotenv', '../beside.env', 'bad.yaml'],
      ['check', '*.yaml'],
      ['check', 'deep/**/*.yaml'],
      ['check', '../beside.yaml'],
      ['check', 'missing.yaml'],
      ['check', '--env', 'none', 'good.yaml'],
    ].map((words) => [words.join(' '), words] as const),
  )(
    'svc %s: the same words and the same exit status',
    (_, [verb = '', ...given]) => {
      const plain = said([verb, ...given]);
      expect(said([verb, '--confined', ...given])).toEqual(plain);
    },
    60_000,
  );

  it('does not see what stands outside of the root, and says that it is not there', () => {
    const { stderr, exit } = said(['check', '--confined', 'foreign.yaml'], join(folder, 'other'));
    expect(exit).toBe(1);
    for (const name of ['../beside.csv', '../beside', '../beside.mjs']) expect(stderr).toContain(`"${name}"`);
    expect(stderr).not.toContain('svc itself failed');
  }, 60_000);

  it.each([['deep'], ['deep/er/old one,*.yaml']])(
    'rewrites %s and keeps its mode',
    (path) => {
      const file = join(project, 'deep/er/old one,*.yaml');
      writeFileSync(file, old);
      chmodSync(file, 0o640);
      expect(said(['migrate', '--confined', '--write', path]).exit).toBe(path === 'deep' ? 0 : 2);
      expect([readFileSync(file, 'utf8').includes('WR_save_test_object'), statSync(file).mode & 0o777]).toEqual([
        path === 'deep',
        0o640,
      ]);
    },
    60_000,
  );

  it.runIf(process.platform === 'linux')(
    'starts one process of itself and no other, opens no connection, writes only what it rewrites',
    async () => {
      const world = openWorld();
      try {
        world.make({ files: { 'old.yaml': old } });
        const { trace, exit, stderr } = await svcWithin(world, ['migrate', '--confined', '--write', 'old.yaml']);
        expect(exit, stderr).toBe(0);
        expect(trace.programs).toEqual([process.execPath]);
        expect(trace.addresses).toEqual([]);
        // The process outside keeps the user's cache; the one inside has no right to.
        const elsewhere = trace.writes.filter((path) => path.startsWith(world.outer) && !path.startsWith(world.home));
        expect(elsewhere.filter((path) => !/\/box\/(?:\.)?old\.yaml/.test(path))).toEqual([]);
      } finally {
        world.close();
      }
    },
    60_000,
  );
});
