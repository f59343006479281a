import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Reporter } from '#runtime/kernel/events.ts';
import { openRecordFile } from '#runtime/program/record-file.ts';
import type { Unit } from '#schemas/types/plan.ts';

import { startSvc, svc } from '../cli/svc.ts';
import { node, runCase, type Case } from '../kernel/harness.ts';

let root = '';
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-broken-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

/** A unit of two steps with a teardown that says so. */
function withTeardown(done: string[], unit: Partial<Unit> = {}): Case {
  return {
    commands: {
      DONE: { effects: ['state'], does: ({ name }: { name?: string }) => void done.push(String(name)) },
      SEND: { effects: ['network'], does: () => null },
    },
    unit: {
      body: [node('one', 'SEND'), node('two', 'SET', { name: 'x', value: 1 })],
      teardown: [node('end', 'DONE', { name: 'teardown' })],
      ...unit,
    },
  };
}

const noSpace = (): never => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
};

describe('a record file that cannot be written', () => {
  it.each([
    ['when a record is added', { add: noSpace, flush: () => undefined, close: () => undefined }],
    ['before something outside happens', { add: () => undefined, flush: noSpace, close: () => undefined }],
    ['at the end', { add: () => undefined, flush: () => undefined, close: noSpace }],
  ])('ends no run before its teardown, and is told of: %s', async (_when, records) => {
    const done: string[] = [];
    const notices: string[] = [];
    const ended: string[] = [];
    const reporter: Reporter = {
      event: (event) => void (event.kind === 'notice' ? notices.push(event.text) : ended.push(event.kind)),
      end: () => void ended.push('end'),
    };
    await expect(runCase({ ...withTeardown(done), options: { records, reporters: [reporter] } })).rejects.toThrow(
      'no space left',
    );
    expect(done).toEqual(['teardown']);
    expect(ended.slice(-2)).toEqual(['run-finished', 'end']);
  });

  it('runs teardown in nested lists, graphs and rows too', async () => {
    const records = { add: noSpace, flush: noSpace, close: noSpace };
    for (const order of [
      { kind: 'list', on_failure: 'stop' },
      { kind: 'graph', failed: 'stop', max_workers: 2 },
    ] as const) {
      const done: string[] = [];
      await expect(runCase({ ...withTeardown(done, { order }), options: { records } })).rejects.toThrow(
        'no space left',
      );
      expect(done).toEqual(['teardown']);
    }
  });

  it.runIf(existsSync('/dev/full'))('is tried again with what did not fit, until it is closed', async () => {
    const full = openRecordFile('/dev/full');
    full.add({ id: 'a' } as never);
    for (const write of [full.flush, full.flush, full.close]) expect(write).toThrow('there is no space left');
    expect(full.flush).not.toThrow();
  });
});

describe('a reporter that breaks', () => {
  it('ends no run before its teardown, and does not take the others with it', async () => {
    const done: string[] = [];
    const seen: string[] = [];
    const broken: Reporter = { event: noSpace, end: noSpace };
    const other: Reporter = { event: ({ kind }) => void seen.push(kind), end: () => void seen.push('end') };
    await expect(runCase({ ...withTeardown(done), options: { reporters: [broken, other] } })).rejects.toThrow(
      'no space left',
    );
    expect(done).toEqual(['teardown']);
    expect(seen.slice(-2)).toEqual(['run-finished', 'end']);
  });
});

const file = `setup:
  - [FA_create_file, { file_path: "\${here}/started", content: x }]
actions:
  - [FA_create_file, { file_path: "\${here}/worked", content: x }]
teardown:
  - [FA_create_file, { file_path: "\${here}/ended", content: x }]
`;

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  const there = (name: string): boolean => existsSync(join(root, name));
  beforeEach(() => writeFile(join(root, 'a.yaml'), file));

  it('under --record: the run goes on to its end, and says that the records are lost', async () => {
    const { stdout, stderr, exit } = await svc(root, ['run', 'a.yaml', '--record', '/dev/full']);
    expect([there('worked'), there('ended'), exit]).toEqual([true, true, 2]);
    expect(stderr).toContain('"/dev/full" cannot be written: there is no space left.');
    expect(stdout).toMatch(/passed/);
  });

  it.each([
    ['--isolate', 'run', 'a.yaml', '--isolate'],
    ['several files', 'run', 'a.yaml', 'b.yaml'],
  ])('under --record with %s', async (_what, ...args) => {
    await writeFile(join(root, 'b.yaml'), file.replaceAll(/started|worked|ended/g, 'b-$&'));
    const { stderr, exit } = await svc(root, [...args, '--record', '/dev/full']);
    expect([there('worked'), there('ended'), exit]).toEqual([true, true, 2]);
    expect(stderr).toContain('there is no space left');
  });

  it('under standard output', async () => {
    const { ended } = startSvc(root, ['run', 'a.yaml'], {}, openSync('/dev/full', 'w'));
    const { stderr, exit } = await ended;
    expect([there('worked'), there('ended'), exit]).toEqual([true, true, 2]);
    expect(stderr).toContain('"standard output" cannot be written: there is no space left.');
  });

  it('is not needed for a reader that goes away: the run stops in order', async () => {
    const steps = Array.from(
      { length: 200 },
      (_, index) =>
        `  - { FA_create_file: { file_path: "\${here}/many", content: "${index}" }, name: "${'long '.repeat(200)}" }`,
    );
    await writeFile(
      join(root, 'a.yaml'),
      `actions:\n${steps.join('\n')}\nteardown:\n  - [FA_create_file, { file_path: "\${here}/ended", content: x }]\n`,
    );
    const { child, ended } = startSvc(root, ['run', 'a.yaml', '-v', '--reporter', 'tap'], {});
    child.stdout?.destroy();
    await ended;
    expect(there('ended')).toBe(true);
  });
});

const shapes = `
export const getter = () => ({ get secret() { throw new Error('no'); }, after: 1 });
export const keys = () => new Proxy({}, { ownKeys() { throw new Error('no'); } });
export const prototype = () => new Proxy({}, { getPrototypeOf() { throw new Error('no'); } });
export const has = () => new Proxy(new (class Thing {})(), { has() { throw new Error('no'); }, get() { throw new Error('no'); } });
export const revoked = () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return { inside: proxy }; };
export const kind = () => new (class { get $handle() { throw new Error('no'); } })();
export const named = () => { const thing = new (class {})(); Object.defineProperty(thing, 'constructor', { value: { name: 7 } }); return thing; };
export const date = () => { const made = new Date(); made.toISOString = () => { throw new Error('no'); }; return made; };
export const circle = () => { const a = {}; a.a = a; a.b = a; a.c = [a, a]; return a; };
export const throws = () => { throw { get message() { throw new Error('no'); }, toString() { throw new Error('no'); } }; };
export const error = () => { throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('no'); } }); };
export const cause = () => { const e = new Error('x'); e.cause = e; throw e; };
export const named_error = () => { const e = new Error('x'); e.name = { toString() { throw new Error('no'); } }; throw e; };
export const nothing = () => { throw Object.create(null); };
`;
const failing = new Set(['prototype', 'has', 'throws', 'error', 'cause', 'named_error', 'nothing']);

describe('what a function of a module yields or throws', () => {
  it('never keeps a teardown from running, and each step has its record', async () => {
    await writeFile(join(root, 'own.mjs'), shapes);
    const names = [...shapes.matchAll(/^export const (\w+)/gm)].map(([, name]) => name ?? '');
    const steps = names.map((name) => `  - { own_${name}: null, save_as: v_${name} }`);
    await writeFile(
      join(root, 'a.yaml'),
      `meta: { modules: [./own.mjs], on_failure: continue }\nactions:\n${steps.join('\n')}\nteardown:\n  - [FA_create_file, { file_path: "\${here}/ended", content: x }]\n`,
    );
    const { stdout, stderr, exit } = await svc(root, ['run', 'a.yaml', '--record', 'r.jsonl', '--no-validate-first']);
    expect(existsSync(join(root, 'ended')), `${stdout}${stderr}`).toBe(true);
    const records = (await readFile(join(root, 'r.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { readonly command: string; readonly status: string; readonly result?: unknown },
      );
    expect(records.map(({ command, status }) => [command, status])).toEqual([
      ...names.map((name) => [`own_${name}`, failing.has(name) ? 'failed' : 'passed']),
      ['FA_create_file', 'passed'],
    ]);
    expect(records[0]?.result).toEqual({ secret: { $handle: 'unreadable' }, after: 1 });
    expect(exit).toBe(1);
  });
});
