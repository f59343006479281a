import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { svc } from '../cli/svc.ts';

/** Sentences of the contract about what a plan holds: routes, not offsets, and nothing of an environment or a run. */
const place = mkdtempSync(path.join(tmpdir(), 'svc-plan-bytes-'));
const steps = 'actions:\n  - AT_set_variable: { name: shop, value: "${ENV.SHOP:-none}" }\n';
let plain: string;

beforeAll(async () => {
  plain = await planOf(steps);
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

async function planOf(text: string, ...args: readonly string[]): Promise<string> {
  writeFileSync(path.join(place, 'main.yaml'), text);
  const { stdout, exit } = await svc(place, ['plan', 'main.yaml', '--format', 'json', ...args]);
  expect(exit).toBe(0);
  return stdout;
}

it('is the same with another comment and another layout', async () => {
  expect(await planOf(`# A comment.\n\n${steps.replace('{ name', '{   name')}# The end.\n`)).toBe(plain);
});

it('is the same with an environment beside it, and with values from outside', async () => {
  writeFileSync(path.join(place, '.env.staging'), 'SHOP=https://staging.test\n');
  expect(await planOf(steps, '--env', 'staging')).toBe(plain);
  expect(await planOf(steps, '--var', 'shop=x')).toBe(plain);
});

it('is another one with another value', async () => {
  expect(await planOf(steps.replace('none', 'other'))).not.toBe(plain);
});
