import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import * as svc from '#compiler/library/browser.ts';

import { root } from '../built.ts';

/** Families beside browsers whose commands are functions of `svc/browser`, named as they are without `WR_`. */
const families: readonly string[] = [
  ...['classify', 'dependency', 'ledger', 'metadata', 'shard', 'command-docs', 'lint', 'migrate', 'pom', 'schema'],
  ...['validate', 'har-diff', 'secrets', 'security-headers', 'snapshot'],
];

const all = await catalogue.all();

describe('svc/browser', () => {
  const library: Readonly<Record<string, unknown>> = svc;
  const commands = all.filter(({ name, family }) => name.startsWith('WR_') && families.includes(family));

  it('knows its families', () => {
    expect(new Set(commands.map(({ family }) => family))).toEqual(new Set(families));
  });

  for (const { name } of commands)
    it(`has ${name.slice(3)}`, () => expect(library[name.slice(3)]).toBeTypeOf('function'));

  it('drives browsers by every other command', () => {
    expect(svc.BrowserSession.open).toBeTypeOf('function');
    expect(svc.BrowserSession.prototype.run).toBeTypeOf('function');
    expect(svc.call).toBeTypeOf('function');
  });

  it('loads neither engines nor packages before they are used', () => {
    const listing = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import('svc/browser');
console.log(loaded.join('\\n'));`;
    const node = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', listing];
    const loaded = execFileSync(process.execPath, node, { cwd: root, encoding: 'utf8' }).trim().split('\n');
    expect(loaded.some((url) => url.endsWith('compiler/library/browser.ts'))).toBe(true);
    expect(loaded.filter((url) => /playwright|selenium|axe-core|stdlib\/browser\/engines\//.test(url))).toEqual([]);
  });
});
