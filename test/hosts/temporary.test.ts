import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

const { files } = nodeHost();
let root = '';
const at = (name: string): string => join(root, name);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-host-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A process that has half a file and half a folder, and says so. */
const worker = `
import { nodeHost } from ${JSON.stringify(new URL('../../runtime/hosts/node.ts', import.meta.url).href)};
const { files } = nodeHost();
const at = (name) => ${'`'}\${process.argv[1]}/\${name}${'`'};
const stage = files.temporaryBeside(at('folder'));
await files.makeDirectory(stage);
await files.write(stage + '/inner.txt', 'half');
await files.link('/etc', stage + '/link');
async function* half() {
  yield Buffer.from('half');
  process.stdout.write('ready');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
await files.writeStream(at('target.txt'), half());
`;

async function begun(): Promise<{ end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> }> {
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', worker, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the process ended by itself')));
  });
  return { end: async (signal) => (child.kill(signal), ended) };
}

describe.runIf(process.platform === 'linux')('what a killed process left', () => {
  test('goes when the next one writes into that folder; that of a living one stays', async () => {
    const dead = await begun();
    await dead.end('SIGKILL');
    expect(readdirSync(root)).toHaveLength(2);
    const alive = await begun();
    expect(readdirSync(root)).toHaveLength(2);
    await files.write(at('other.txt'), 'x');
    expect(readdirSync(root)).toHaveLength(3);
    await alive.end('SIGKILL');
    mkdirSync(at('sub'));
    await files.write(at('sub/a.txt'), 'x');
    expect(readdirSync(root)).toHaveLength(4);
  });
});

describe('a temporary name', () => {
  test('stands beside the target, and is short enough for any of them', () => {
    const name = basename(files.temporaryBeside(at('x'.repeat(255))));
    expect(name.length).toBeLessThan(100);
    expect(basename(files.temporaryBeside(at('a.txt')))).toMatch(
      /^\.a\.txt\.tmp-[0-9a-z]+-[0-9a-z]+-[0-9a-z]+-[0-9a-z]+\.tmp$/,
    );
    expect(Buffer.byteLength(basename(files.temporaryBeside(at('x'.repeat(190)))))).toBeLessThan(256);
  });

  test('of a process elsewhere counts as left over after a day only, and what looks otherwise never', async () => {
    const elsewhere = ['.a.tmp-abc-1-1-xyz.tmp', '.tmp-abc-1-1-xyz.tmp'];
    const others = ['.a.1234.tmp', 'a.tmp-abc-1-1-xyz.tmp', '.a.tmp-ABC-1-1-xyz.tmp', '.a.tmp-abc-1-1-xyz.tmp.bak'];
    for (const name of [...elsewhere, ...others]) writeFileSync(at(name), '');
    const old = Date.now() / 1000 - 90_000;
    for (const name of [elsewhere[1] ?? '', ...others]) utimesSync(at(name), old, old);
    await files.write(at('new.txt'), 'x');
    expect(readdirSync(root).sort()).toEqual([...others, elsewhere[0] ?? '', 'new.txt'].sort());
  });
});
