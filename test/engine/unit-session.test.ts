import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openUnit } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { RunEvent } from '#runtime/kernel/events.ts';

let root = '';
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-unit-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lit = (value: string): { readonly lit: string } => ({ lit: value });

describe('a unit that is kept open', () => {
  test('runs nodes of a plan and calls one after the other, in one scope and one working folder', async () => {
    const events: RunEvent[] = [];
    await using unit = await openUnit({
      host: nodeHost({ cwd: root }),
      reporters: [{ event: (event) => void events.push(event) }],
      keepsRecords: true,
    });
    const node = { id: 'first', command: 'AT_set_variable', args: { name: lit('who'), value: lit('ada') } };
    expect(await unit.step(node)).toMatchObject({ status: 'passed' });
    await unit.call('FA_create_file', { file_path: 'a.txt', content: 'for {{who}}' });
    expect(await unit.call('FA_line_count', { file_path: 'a.txt' })).toBe(1);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('for ada');
    expect(unit.records.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'first passed',
      'unit#0.0 passed',
      'unit#1.0 passed',
    ]);
    expect(events.filter(({ kind }) => kind === 'step-finished')).toHaveLength(3);
  });

  test('tells a failure by the end of a step, and throws that of a call', async () => {
    await using unit = await openUnit({ host: nodeHost({ cwd: root }) });
    const node = { id: 'n', command: 'FA_line_count', args: { file_path: lit('none'), encoding: lit('utf-8') } };
    expect((await unit.step(node)).failure?.facts.code).toBe('SVC85000');
    await expect(unit.call('FA_line_count', { file_path: 'none' })).rejects.toMatchObject({
      message: 'There is no file "none".',
    });
    await expect(unit.call('FA_line_cuont', {})).rejects.toMatchObject({
      message: expect.stringContaining('There is no command "FA_line_cuont"'),
    });
    expect(await unit.call('FA_generate_key', {})).toEqual(expect.any(String));
  });

  test('runs steps inside of steps, and functions as steps with the ports that they ask for', async () => {
    await using unit = await openUnit({ host: nodeHost({ cwd: root }), keepsRecords: true });
    const inner = {
      id: 'n.then.0',
      command: 'FA_create_file',
      args: { file_path: lit('b'), content: lit('b'), encoding: lit('utf-8') },
    };
    const holder = { id: 'n', command: 'FA_if_exists', args: { path: lit('.'), then: { block: [inner] } } };
    expect(await unit.step(holder)).toMatchObject({ status: 'passed' });
    const read = await unit.within('reads', ['files'], async ({ files }) =>
      new TextDecoder().decode(await files.read('b')),
    );
    expect(read).toBe('b');
    expect(unit.records.map(({ id }) => id)).toEqual(['n.then.0', 'n', 'unit#0']);
  });

  test('lets go of what was opened, and runs nothing after a stop', async () => {
    const unit = await openUnit({ host: nodeHost({ cwd: root }) });
    let closed = false;
    await unit.within('opens', ['variables'], ({ signal }) => void (closed = signal.aborted));
    unit.stop('enough');
    await expect(unit.call('FA_generate_key', {})).rejects.toMatchObject({
      message: expect.stringContaining('enough'),
    });
    await unit.close();
    expect(closed).toBe(false);
  });
});
