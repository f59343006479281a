import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

import { root } from '../built.ts';
import { svc } from './svc.ts';

const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
  readonly id: string;
  readonly entry: string;
}[];
const folder = mkdtempSync(join(tmpdir(), 'svc-hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'good.yaml'), 'actions: [AT_clear_variables]\n');
writeFileSync(
  join(folder, 'bad.yaml'),
  '-   WR_quit\n- [AT_test_api_method, { http_method: get, test_url: "https://127.0.0.1/", verify: false, timeot: 1 }]\n',
);

test('the hooks are those that are promised', () => {
  expect(hooks.map(({ id }) => id)).toEqual(['svc-check', 'svc-lint', 'svc-migrate', 'svc-fmt']);
});

test.each(hooks.map(({ id, entry }) => [id, entry.split(' ')] as const))(
  '%s passes what is sound and stops what is not',
  async (_, [program, ...args]) => {
    expect(program).toBe('svc');
    expect((await svc(folder, [...args, 'good.yaml'])).exit).toBe(0);
    expect((await svc(folder, [...args, 'good.yaml', 'bad.yaml'])).exit).toBe(1);
  },
);

test.each(hooks.map(({ id, entry }) => [id, entry.split(' ').slice(1)] as const))(
  '%s passes over files without actions',
  async (_, args) => {
    writeFileSync(join(folder, 'compose.yaml'), 'services: { shop: { image: shop } }\n');
    writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "actions": [] }\n');
    const own = args.filter((word) => word !== '--confined');
    expect(await svc(folder, [...own, 'compose.yaml', 'package.json'])).toMatchObject({ exit: 0, stdout: '' });
    expect((await svc(folder, [...own, 'compose.yaml', 'bad.yaml'])).exit).toBe(1);
  },
);
