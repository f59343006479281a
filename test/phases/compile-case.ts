import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

import { check, compile, lint, plan, type Compilation, type CompileOptions } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { Following } from '#compiler/engine/explained-file.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import type { SuiteCase } from '../suite.ts';

import { deepFreeze } from './deep-freeze.ts';

/** `options.json` of a case. */
interface CaseOptions extends CompileOptions {
  /** The door to go through (`check`). */
  readonly door?: 'check' | 'plan' | 'compile' | 'run' | 'lint';
  /** Files to list (the file called `input`). */
  readonly list?: readonly string[];
  readonly process_env?: Readonly<Record<string, string>>;
}

const catalogue = openCatalogue();
const planSchema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schemas/contracts/plan.schema.json'), 'utf8'),
) as object;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isPlan = ajv.compile(planSchema);

/**
 * Compiles the files of a case in a host of their own. Whatever a phase hands on is frozen, so that a later phase which
 * changed it would throw; the plan of a sound case holds to its schema, and what is known of one with errors can be
 * shown.
 */
export async function compileCase({ files }: SuiteCase): Promise<Compilation> {
  const {
    door = 'check',
    list,
    process_env = {},
    ...written
  } = JSON.parse(files.get('options.json') ?? '{}') as CaseOptions;
  const host = memoryHost({ cwd: '/work', env: process_env });
  for (const [path, text] of files)
    if (path !== 'options.json') await host.files.write(`/work/${path}`, text, { parents: true });
  const inputs = list ?? [...files.keys()].filter((path) => /^input\.(yaml|yml|json)$/.test(path));
  expect(inputs.length, 'a case has a file called input, or lists its files').toBeGreaterThan(0);
  const sources = inputs.map((path) => ({ path: `/work/${path}` }));
  const following = new Following(4);
  const options = {
    root: '/work',
    catalogue,
    follow: following.follow,
    observe: (_: string, output: unknown) => void deepFreeze(output),
    ...written,
  };
  const compilation = await through(door, sources, options, host);
  if (!compilation.hasErrors) {
    const { plan: sealed } = compilation.seal();
    expect(isPlan(sealed), ajv.errorsText(isPlan.errors?.slice(0, 3))).toBe(true);
  }
  for (const { steps } of following.files(compilation))
    expect(steps.map(({ line, endLine }) => line > 0 && endLine >= line)).not.toContain(false);
  return compilation;
}

async function through(
  door: NonNullable<CaseOptions['door']>,
  sources: readonly { readonly path: string }[],
  options: Parameters<typeof check>[1],
  host: Parameters<typeof check>[2],
): Promise<Compilation> {
  switch (door) {
    case 'check':
      return check(sources, options, host);
    case 'plan':
      return plan(sources, options, host);
    case 'compile':
    case 'run':
      return compile(sources, { ...options, for: door }, host);
    case 'lint':
      return (await lint(sources, { ...options, lint: { preset: 'none' } }, host)).compilation;
  }
}
