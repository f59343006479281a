import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { failureOf } from '../../call.ts';
import { session, type Session } from '../../session.ts';
import { processesHolding } from './processes-holding.ts';
import { lacks } from '../../../fixtures/programs.ts';

let root = '';
let unit: Session;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-shell-'));
  unit = await session();
});
afterEach(async () => {
  await unit.end();
  await rm(root, { recursive: true, force: true });
});

interface Ended {
  readonly returncode: number;
  readonly stdout: string;
  readonly stderr: string;
}
const run = async (command: readonly string[], params: Readonly<Record<string, unknown>> = {}): Promise<Ended> =>
  (await unit.call('FA_run_shell', { command, ...params })) as Ended;
const node = (code: string, ...args: readonly string[]): string[] => [process.execPath, '-e', code, ...args];
const facts = async (work: Promise<unknown>): Promise<{ code: string; name: string; message: string }> =>
  (await failureOf(work)).facts;

describe('arguments', () => {
  it('go to the program as they are', async () => {
    const odd = [
      '*',
      '|',
      '$HOME',
      '$(touch never)',
      '`touch never`',
      'a b',
      '',
      '"',
      "'",
      '\\',
      '\n',
      '; exit 1',
      '--',
      'ü €',
    ];
    const { stdout } = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', '--', ...odd), {
      cwd: root,
    });
    expect(JSON.parse(stdout)).toEqual(odd);
    expect(existsSync(join(root, 'never'))).toBe(false);
  });

  it.skipIf(lacks('true'))('with a zero character, or too long for the system, are refused', async () => {
    expect(await facts(run(['true', 'a\0b']))).toMatchObject({ code: 'SVC88013', name: 'ShellException' });
    expect(await facts(run(['true', 'x'.repeat(5_000_000)]))).toMatchObject({
      code: 'SVC88013',
      message: 'The program "true" cannot be started: E2BIG.',
    });
  });

  it('are not shown by a failure', async () => {
    const { message } = await facts(run(node('process.exit(4)', '--', '--password=hush')));
    expect(message).toBe(`The program "${process.execPath}" ended with 4.`);
  });
});

describe('where and with what', () => {
  it('is `cwd`, which must be a folder', async () => {
    await mkdir(join(root, 'inner'));
    expect((await run(node('process.stdout.write(process.cwd())'), { cwd: join(root, 'inner') })).stdout).toBe(
      join(root, 'inner'),
    );
    expect(await facts(run(['true'], { cwd: join(root, 'nowhere') }))).toMatchObject({ code: 'SVC85001' });
  });

  it('finds a program by its path below `cwd`', async () => {
    await writeFile(join(root, 'tool'), '#!/bin/sh\necho tool "$@"\n');
    expect(await facts(run(['./tool'], { cwd: root }))).toMatchObject({
      code: 'SVC88013',
      message: 'The program "./tool" cannot be started: EACCES.',
    });
    await chmod(join(root, 'tool'), 0o755);
    expect((await run(['./tool', 'x'], { cwd: root })).stdout).toBe('tool x\n');
  });

  it('is the environment that is given, and nothing else', async () => {
    expect(
      (await run(node('console.log(Object.keys(process.env).sort().join())'), { env: { ONE: '1', TWO: '' } })).stdout,
    ).toMatch(/^(?:__CF_USER_TEXT_ENCODING,)?ONE,TWO\n$/);
    expect((await run(node('console.log(process.env.PATH)'))).stdout).toBe(`${process.env['PATH']}\n`);
  });

  it.skipIf(lacks('true'))('is no standard input, unless some is given', async () => {
    const cat = node(
      'let all = ""; process.stdin.on("data", (d) => (all += d)).on("end", () => console.log(all.length))',
    );
    expect((await run(cat)).stdout).toBe('0\n');
    expect((await run(cat, { input: 'ü'.repeat(300_000) })).stdout).toBe('300000\n');
    expect((await run(['true'], { input: 'x'.repeat(1_000_000) })).returncode).toBe(0);
  });
});

describe('output', () => {
  it('is text, whatever the bytes', async () => {
    const bytes = node('process.stdout.write(Buffer.from([0x66, 0xfc, 0x72, 0xe2, 0x82]))');
    expect((await run(bytes)).stdout).toBe('f\ufffdr\ufffd');
    expect((await run(bytes, { encoding: 'latin-1' })).stdout).toBe('fürâ\u0082');
    expect(await facts(run(bytes, { encoding: 'klingon' }))).toMatchObject({ code: 'SVC85041' });
  });

  it('is cut off where there is too much, and the program goes on', async () => {
    const { stdout, stderr } = await run(
      node('process.stdout.write("x".repeat(12_000_000)); process.stderr.write("end")'),
    );
    expect(stdout.length).toBeLessThan(10 * 1024 * 1024 + 100);
    expect(stdout.endsWith('x\n[only the first 10485760 bytes are kept]\n')).toBe(true);
    expect(stderr).toBe('end');
  });

  it('goes nowhere where it is not captured', async () => {
    expect(await run(node('console.log(1); console.error(2)'), { capture_output: false })).toEqual({
      returncode: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('of a program that failed is told: the last lines in the message, all of it as the result', async () => {
    const ended = await unit.step('FA_run_shell', {
      command: node('for (let i = 0; i < 20; i++) console.error("line " + i); console.log("out"); process.exit(7)'),
    });
    expect(ended.failure?.facts.message).toBe(
      `The program "${process.execPath}" ended with 7: ${Array.from({ length: 8 }, (_one, index) => `line ${index + 12}`).join('\n')}.`,
    );
    expect(ended.failure?.options.result).toMatchObject({ returncode: 7, stdout: 'out\n' });
  });
});

describe('status', () => {
  it('other than zero fails the step unless `check` is off', async () => {
    expect(await facts(run(node('process.exit(2)')))).toMatchObject({ code: 'SVC88011', name: 'ShellException' });
    expect((await run(node('process.exit(2)'), { check: false })).returncode).toBe(2);
  });

  it('of a program that a signal ended is its negative number', async () => {
    expect(
      (await run(node('process.kill(process.pid, "SIGKILL"); setTimeout(Boolean, 1e5)'), { check: false })).returncode,
    ).toBe(-9);
    expect((await facts(run(node('process.kill(process.pid, "SIGTERM"); setTimeout(Boolean, 1e5)')))).message).toMatch(
      /ended with SIGTERM\.$/,
    );
  });

  it('is unknown where there is no such program', async () => {
    expect(await facts(run(['no-such-program-here']))).toMatchObject({
      code: 'SVC88013',
      message: 'The program "no-such-program-here" cannot be started: ENOENT.',
    });
    expect(await facts(run(['']))).toMatchObject({ code: 'SVC88013' });
  });
});

it('needs the gate', async () => {
  await using closed = await session({ settings: { gates: { shell: false } } });
  expect(await facts(closed.call('FA_run_shell', { command: ['true'] }))).toMatchObject({ code: 'SVC80024' });
});

describe('the end of time', () => {
  it.skipIf(lacks('sh', 'sleep'))('comes at once to those that listen, and lets them put things in order', async () => {
    const begun = performance.now();
    const code = await facts(
      run(['sh', '-c', `trap 'echo bye > ${join(root, 'bye')}; exit 0' TERM; echo ready; sleep 60 & wait`], {
        timeout: 0.3,
      }),
    );
    expect(code).toMatchObject({ code: 'SVC88012' });
    expect(await readFile(join(root, 'bye'), 'utf8')).toBe('bye\n');
    expect(performance.now() - begun).toBeLessThan(1800);
  });

  it.skipIf(lacks('sh', 'sleep'))('of the step does the same', async () => {
    const mark = `mark-${process.pid}-${Date.now()}`;
    const ended = await unit.step(
      'FA_run_shell',
      { command: ['sh', '-c', 'sh -c "sleep 60" $0 & wait', mark] },
      { timeout_s: 0.3 },
    );
    expect(ended.failure?.facts.code).toBe('SVC80002');
    expect(await processesHolding(mark)).toEqual([]);
  });

  it.skipIf(lacks('sh', 'sleep'))('does not come to what a program left in the background in order', async () => {
    const { returncode, stdout } = await run(['sh', '-c', 'sleep 0.4 > /dev/null 2>&1 & echo $!']);
    expect(returncode).toBe(0);
    expect(existsSync(`/proc/${stdout.trim()}`)).toBe(true);
  });
});
