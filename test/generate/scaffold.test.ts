import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findImplementations } from '#compiler/generate/commands/implementations.ts';
import { readPorts } from '#compiler/generate/commands/ports.ts';
import { loadFamilies } from '#compiler/generate/commands/load.ts';
import { checkMessages } from '#compiler/generate/messages/check.ts';
import { readMessages } from '#compiler/generate/messages/read.ts';
import { Mistakes } from '#compiler/generate/mistakes.ts';
import { scaffoldCommand } from '#compiler/generate/scaffold/command.ts';
import { scaffoldMigration } from '#compiler/generate/scaffold/migration.ts';
import { scaffoldProvider } from '#compiler/generate/scaffold/provider.ts';
import { scaffoldRule } from '#compiler/generate/scaffold/rule.ts';
import { write, WrongUse } from '#compiler/generate/scaffold/scaffold.ts';

import { unitContext } from '../fixtures/unit-context.ts';

type Put = (key: string, text: string, signal: AbortSignal) => Promise<void>;
type Get = (key: string, signal: AbortSignal) => Promise<string | undefined>;

const project = path.resolve(import.meta.dirname, '../..');
let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'scaffold-'));
  for (const folder of [
    'schemas/meta',
    'schemas/messages',
    'runtime/kernel',
    'stdlib/files/servers/client',
    'compiler/phases/2-migrate/steps',
  ]) {
    mkdirSync(path.join(root, path.dirname(folder)), { recursive: true });
    // Without functions, so that the family is a planned one.
    cpSync(path.join(project, folder), path.join(root, folder), {
      recursive: true,
      filter: (file) => !file.includes('client') || !file.endsWith('.ts'),
    });
  }
});
afterEach(() => rmSync(root, { recursive: true }));

function state(): { names: readonly string[]; mistakes: readonly string[] } {
  const mistakes = new Mistakes();
  const names = [...findImplementations(root, loadFamilies(root, mistakes), mistakes).keys()];
  return { names, mistakes: mistakes.found };
}

describe('new:command', () => {
  it('makes a family of its own, then adds to it, and touches two files each time', () => {
    for (const name of ['FA_touch_file', 'FA_touch_dir']) {
      const made = scaffoldCommand(root, 'files/local/touch', name);
      expect(made.files.map(([file]) => file)).toEqual([
        'stdlib/files/local/touch/commands.yaml',
        'stdlib/files/local/touch/touch.ts',
      ]);
      write(root, made);
    }
    expect(state()).toEqual({ names: ['FA_touch_file', 'FA_touch_dir'], mistakes: [] });
  });

  it('describes parameters by their nouns, as comments of types are', () => {
    const { files } = scaffoldCommand(root, 'files/local/touch', 'FA_touch');
    const abouts = files.flatMap(([, text]) => [...text.matchAll(/about: (\w+)/g)].map(([, word]) => word));
    expect(abouts).toEqual(['Text']);
  });

  it('leaves the declaration of a planned command as it is', () => {
    const made = scaffoldCommand(root, 'files/servers/client', 'FA_client_execute');
    expect(made.files.map(([file]) => file)).toEqual(['stdlib/files/servers/client/client.ts']);
    expect(made.next.join()).toContain('{ base_url, actions, shared_secret, timeout, verify_loopback }');
  });

  it.each([
    ['files/touch', 'FA_touch', 'is no family'],
    ['files/local/touch', 'WR_touch', 'is no name of a command of files'],
    ['files/local/touch', 'FA_client_execute', 'is declared in stdlib/files/servers/client/commands.yaml already'],
  ])('refuses %s %s', (family, name, message) => {
    expect(() => scaffoldCommand(root, family, name)).toThrow(WrongUse);
    expect(() => scaffoldCommand(root, family, name)).toThrow(message);
  });
});

describe('new:provider', () => {
  const ports = (): { names: readonly string[]; mistakes: readonly string[] } => {
    const mistakes = new Mistakes();
    return { names: readPorts(root, new Set(), mistakes).map(({ port }) => port), mistakes: mistakes.found };
  };

  it('makes a port with its provider, the conformance suite of the port, and the test that holds the provider to it', () => {
    const made = scaffoldProvider(root, 'object-store', 'adapters');
    expect(made.files.map(([file]) => file)).toEqual([
      'runtime/adapters/object-store/port.yaml',
      'runtime/adapters/object-store/port.ts',
      'runtime/adapters/object-store/provider.ts',
      'test/conformance/object-store.ts',
      'test/adapters/object-store.test.ts',
    ]);
    write(root, made);
    expect(ports()).toEqual({ names: ['objectStore'], mistakes: [] });
    write(root, scaffoldProvider(root, 'queue', 'services'));
    expect(ports()).toEqual({ names: ['objectStore', 'queue'], mistakes: [] });
  });

  it('makes code that keeps its promises as it stands', async () => {
    write(root, scaffoldProvider(root, 'object-store', 'adapters'));
    const file = path.join(root, 'runtime/adapters/object-store/provider.ts');
    const { provider } = (await import(pathToFileURL(file).href)) as {
      provider: { open(context: unknown): { put: Put; get: Get } };
    };
    const { context, end } = unitContext();
    const store = provider.open(context);
    const { signal } = new AbortController();
    await store.put('key', 'text', signal);
    expect(await store.get('key', signal)).toBe('text');
    await expect(store.put('key', 'other', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(await store.get('key', signal)).toBe('text');
    await end();
    expect(await store.get('key', signal)).toBeUndefined();
  });

  it.each([
    ['ObjectStore', 'adapters', 'is no name of a provider'],
    ['object-store', 'kernel', 'holds no providers'],
    ['taken', 'adapters', 'already'],
  ])('refuses %s in %s', (name, folder, message) => {
    write(root, scaffoldProvider(root, 'taken', 'adapters'));
    expect(() => scaffoldProvider(root, name, folder)).toThrow(WrongUse);
    expect(() => scaffoldProvider(root, name, folder)).toThrow(message);
  });
});

describe('new:rule and new:migration', () => {
  const messageMistakes = (): readonly string[] => {
    const mistakes = new Mistakes();
    checkMessages(readMessages(root, mistakes), mistakes);
    return mistakes.found;
  };

  it('take the next free code and number', () => {
    const before = messageMistakes();
    write(root, scaffoldRule(root, 'no-odd-thing'));
    write(root, scaffoldRule(root, 'use-odd-thing'));
    const first = scaffoldMigration(root, 'rename-things');
    write(root, first);
    const second = scaffoldMigration(root, 'rename-more');
    expect(messageMistakes()).toEqual(before);
    const number = (made: typeof first): number => Number(/(\d{4})-/.exec(made.files[0]?.[0] ?? '')?.[1]);
    expect(number(second)).toBe(number(first) + 1);
    const codes = [
      ...readFileSync(path.join(root, 'schemas/messages/3-lint.md'), 'utf8').matchAll(
        /^## SVC(\d+) (no|use)-odd-thing$/gm,
      ),
    ].map(([, code]) => Number(code));
    expect(codes[1]).toBe((codes[0] ?? 0) + 1);
  });

  it('refuse names that say nothing, and what is there', () => {
    expect(() => scaffoldRule(root, 'thing')).toThrow('is no name of a rule');
    expect(() => scaffoldRule(root, 'no-hard-wait')).toThrow('already');
    expect(() => scaffoldMigration(root, 'thing')).toThrow('does not say what it does');
  });
});
