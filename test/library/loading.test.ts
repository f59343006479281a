import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { root } from '../built.ts';

/** Prints what importing the door loads, as paths from the root of the project. */
const listing = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
await import('svc/files');
const base = new URL('./', process.env.ROOT);
for (const url of loaded) if (url.startsWith(base.href)) console.log(url.slice(base.href.length));
`;

describe('importing svc/files', () => {
  const run = (): string =>
    execFileSync(
      process.execPath,
      ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', listing],
      { cwd: root, encoding: 'utf8', env: { ...process.env, ROOT: `file://${root}/` } },
    );
  const loaded = run().trim().split('\n');
  const packages = [...new Set(loaded.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))];

  it('loads the door', () => {
    expect(loaded).toContain('compiler/library/files.ts');
  });

  it('leaves the compiler to the first action list', () => {
    expect(loaded.filter((file) => /^compiler\/(phases|graph|report)\//.test(file))).toEqual([]);
  });

  it('leaves packages and adapters to those who need them', () => {
    expect(packages).toEqual(['smol-toml']);
    expect(loaded.filter((file) => file.startsWith('runtime/adapters/'))).toEqual([
      'runtime/adapters/modules/call-module.ts',
      'runtime/adapters/modules/callback-table.ts',
    ]);
  });
});
