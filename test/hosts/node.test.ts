import { spawnSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

import { lacks } from '../fixtures/programs.ts';

const host = nodeHost();
const out = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Whether a process runs: one whose status nobody asks for is still listed after its end, as a zombie. */
function isAtWork(pid: number): boolean {
  const listed = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return listed !== '' && !listed.startsWith('Z');
}

describe('processes', () => {
  test('run with arguments as they are, input, environment and folder; no shell', async () => {
    const result = await host.processes.run(
      'sh',
      ['-c', 'cat; printf "%s|%s|%s" "$1" "$X" "$PWD" >&2; exit 3', 'sh', '$(touch never); a b'],
      { input: 'in', env: { X: 'y', PATH: process.env['PATH'] ?? '' }, cwd: '/' },
    );
    expect([result.code, out(result.stdout), out(result.stderr), result.timed_out]).toEqual([
      3,
      'in',
      '$(touch never); a b|y|/',
      false,
    ]);
  });

  test('one that is not there is an error with a code', async () => {
    await expect(host.processes.run('no-such-program-here', [], {})).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('the limit of time ends it and what it started', async () => {
    const begin = performance.now();
    const result = await host.processes.run('sh', ['-c', 'sleep 30 & echo $!; wait'], { timeout_ms: 200 });
    expect([result.timed_out, result.signal]).toEqual([true, 'SIGTERM']);
    expect(performance.now() - begin).toBeLessThan(5000);
    const child = Number(out(result.stdout));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAtWork(child)).toBe(false);
  });

  test('one that does not listen is killed', async () => {
    const result = await host.processes.run('sh', ['-c', 'trap "" TERM; while :; do sleep 0.1; done'], {
      timeout_ms: 200,
    });
    expect([result.timed_out, result.signal]).toEqual([true, 'SIGKILL']);
  });

  test.skipIf(lacks('sleep'))('an abort rejects with its reason', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stop')), 100);
    await expect(host.processes.run('sleep', ['30'], { signal: controller.signal })).rejects.toThrow('stop');
  });

  test('a lot of output is cut, not held', async () => {
    const result = await host.processes.run('sh', ['-c', 'yes | head -c 5000000'], { limit: 1000 });
    expect([result.code, result.stdout.length]).toEqual([0, 1000]);
  });

  test('output that is dropped does not hold the run, and nothing stands on its input', async () => {
    const begin = performance.now();
    const result = await host.processes.run('sh', ['-c', 'sleep 3 & cat; echo done; exit 4'], { output: 'drop' });
    expect([result.code, result.stdout.length]).toEqual([4, 0]);
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  test('a signal is told with its number', async () => {
    expect(await host.processes.run('sh', ['-c', 'kill -KILL $$'], {})).toMatchObject({
      code: null,
      signal: 'SIGKILL',
      signal_number: 9,
      timed_out: false,
    });
  });

  test('input that nobody reads is no error', async () => {
    expect((await host.processes.run('true', [], { input: 'x'.repeat(1_000_000) })).code).toBe(0);
  });
});

describe('names', () => {
  test('lead to all their addresses, as connections would find them', async () => {
    expect(await host.lookup('localhost')).toContain('127.0.0.1');
    expect(
      await memoryHost({ names: { 'shop.example': ['192.0.2.1', '2001:db8::1'] } }).lookup('shop.example'),
    ).toEqual(['192.0.2.1', '2001:db8::1']);
  });

  test('that lead nowhere are an error with a code', async () => {
    await expect(host.lookup('no-such-host.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/),
    });
    await expect(memoryHost().lookup('shop.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('clock, chance, matching, digests', () => {
  test('a sleep ends early with the reason of its signal', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stop')), 20);
    await expect(host.clock.sleep(60_000, controller.signal)).rejects.toThrow('stop');
    await expect(host.clock.sleep(60_000, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  test('a timer can wait longer than the platform can count', async () => {
    let called = false;
    const cancel = host.clock.timer(2 ** 40, () => (called = true));
    await host.clock.sleep(20);
    cancel();
    expect(called).toBe(false);
  });

  test('uuids are of version 4', () => {
    expect(host.random.uuid()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(memoryHost().random.uuid()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });

  test('a pattern that runs away is stopped, also when called again', () => {
    const evil = (): unknown => host.match('^(a+)+$', '', `${'a'.repeat(40)}!`, 50);
    expect(evil).toThrow(/timed out/);
    expect(evil).toThrow(/timed out/);
    expect(host.match('(b)(c)?', '', 'abc', 50)).toEqual({ index: 1, groups: ['bc', 'b', 'c'] });
    expect(host.match('x', '', 'abc', 50)).toBeNull();
    expect(() => host.match('(', '', 'abc', 50)).toThrow(expect.objectContaining({ name: 'SyntaxError' }));
  });

  test('digests by name, of free length too', () => {
    const digest = (name: string, length?: number): string | undefined => {
      const opened = host.digest(name, length);
      opened?.update(new TextEncoder().encode('abc'));
      return opened?.hex();
    };
    expect(digest('md5')).toBe('900150983cd24fb0d6963f7d28e17f72');
    expect(digest('shake128')).toHaveLength(32);
    expect(digest('shake256', 4)).toHaveLength(8);
    expect(digest('md6')).toBeUndefined();
    expect(host.digests).toContain('sha256');
  });

  test('.env text', () => {
    expect(host.parseEnv('export A=1\n# no\nB="x ${A}"\nC=\'many\nlines\'\n')).toEqual({
      A: '1',
      B: 'x ${A}',
      C: 'many\nlines',
    });
  });
});
