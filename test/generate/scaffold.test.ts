import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findImplementations } from '#compiler/generate/commands/implementations.ts';
import { loadFamilies } from '#compiler/generate/commands/load.ts';
import { checkMessages } from '#compiler/generate/messages/check.ts';
import { readMessages } from '#compiler/generate/messages/read.ts';
import { Mistakes } from '#compiler/generate/mistakes.ts';
import { scaffoldCommand } from '#compiler/generate/scaffold/command.ts';
import { scaffoldMigration } from '#compiler/generate/scaffold/migration.ts';
import { scaffoldRule } from '#compiler/generate/scaffold/rule.ts';
import { write, WrongUse } from '#compiler/generate/scaffold/scaffold.ts';

const project = path.resolve(import.meta.dirname, '../..');
let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'scaffold-'));
  for (const folder of [
    'schemas/meta',
    'schemas/messages',
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

describe('new:rule and new:migration', () => {
  const messageMistakes = (): readonly string[] => {
    const mistakes = new Mistakes();
    checkMessages(readMessages(root, mistakes), mistakes);
    return mistakes.found;
  };

  it('take the next free code and number', () => {
    const before = messageMistakes();
    write(root, scaffoldRule(root, 'no-thing'));
    write(root, scaffoldRule(root, 'use-thing'));
    const first = scaffoldMigration(root, 'rename-things');
    write(root, first);
    const second = scaffoldMigration(root, 'rename-more');
    expect(messageMistakes()).toEqual(before);
    const number = (made: typeof first): number => Number(/(\d{4})-/.exec(made.files[0]?.[0] ?? '')?.[1]);
    expect(number(second)).toBe(number(first) + 1);
    const codes = [
      ...readFileSync(path.join(root, 'schemas/messages/3-lint.md'), 'utf8').matchAll(/^## SVC(\d+) (no|use)-thing$/gm),
    ].map(([, code]) => Number(code));
    expect(codes[1]).toBe((codes[0] ?? 0) + 1);
  });

  it('refuse names that say nothing, and what is there', () => {
    expect(() => scaffoldRule(root, 'thing')).toThrow('is no name of a rule');
    expect(() => scaffoldRule(root, 'no-hard-wait')).toThrow('already');
    expect(() => scaffoldMigration(root, 'thing')).toThrow('does not say what it does');
  });
});
