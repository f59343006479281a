import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Files } from '#schemas/types/host.ts';

const { files } = nodeHost();
const content = Buffer.from(Array.from({ length: 1_000_003 }, (_, index) => (index * 7 + (index >> 8)) & 0xff));

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-stream-'));
  writeFileSync(at('large'), content);
  writeFileSync(at('small'), content.subarray(0, 5000));
  writeFileSync(at('empty'), '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Each chunk is copied before the next one is asked for. */
async function whole(
  name: string,
  options?: Parameters<Files['stream']>[1],
): Promise<{ readonly bytes: Buffer; readonly most: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of files.stream(at(name), options)) chunks.push(Buffer.from(chunk));
  return { bytes: Buffer.concat(chunks), most: Math.max(0, ...chunks.map(({ length }) => length)) };
}
const openFiles = (): number => readdirSync('/proc/self/fd').length;

describe('reading a file in pieces', () => {
  test.each([
    ['large', {}],
    ['small', {}],
    ['empty', {}],
    ['large', { reuse: true }],
    ['small', { reuse: true }],
    ['large', { chunk: 999 }],
    ['small', { chunk: 7, reuse: true }],
    ['large', { start: 3, end: 999_999, reuse: true }],
    ['large', { start: 1_000_000 }],
    ['small', { start: 4999, end: 6000 }],
    ['small', { start: 6000 }],
    ['large', { start: 5, end: 5 }],
    ['large', { start: 100, end: 200, chunk: 33 }],
  ])('%s with %j', async (name, options: { start?: number; end?: number; chunk?: number; reuse?: boolean }) => {
    const wanted = (name === 'large' ? content : content.subarray(0, name === 'small' ? 5000 : 0)).subarray(
      options.start ?? 0,
      options.end,
    );
    const { bytes, most } = await whole(name, options);
    expect([bytes.equals(wanted), most <= (options.chunk ?? 65_536)]).toEqual([true, true]);
  });

  test('chunks that are kept stay as they are, unless buffers are shared', async () => {
    for (const name of ['large', 'small']) {
      const kept: Uint8Array[] = [];
      for await (const chunk of files.stream(at(name), { chunk: 1000 })) kept.push(chunk);
      expect(Buffer.concat(kept).equals(name === 'large' ? content : content.subarray(0, 5000))).toBe(true);
    }
  });

  test('many streams that share buffers do not disturb each other', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        whole(index % 2 ? 'small' : 'large', { reuse: true, chunk: 700 + index }),
      ),
    );
    expect(all.every(({ bytes }, index) => bytes.equals(index % 2 ? content.subarray(0, 5000) : content))).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'leaves no file open, whether it is read whole, left early, or fails',
    async () => {
      const before = openFiles();
      for (const name of ['large', 'small']) {
        for await (const _ of files.stream(at(name), { chunk: 1000 })) break;
        await whole(name);
        const signal = AbortSignal.abort(new Error('stop'));
        await expect(whole(name, { signal })).rejects.toThrow('stop');
        const controller = new AbortController();
        const late = (async () => {
          for await (const _ of files.stream(at(name), { chunk: 1000, signal: controller.signal }))
            controller.abort(new Error('later'));
        })();
        await expect(late).rejects.toThrow('later');
      }
      expect(openFiles()).toBe(before);
    },
  );

  test('names the path in what fails', async () => {
    await expect(whole('none')).rejects.toMatchObject({ code: 'ENOENT', path: at('none') });
    await expect(whole('.')).rejects.toMatchObject({ code: 'EISDIR', path: root });
    await expect(files.read(at('none'))).rejects.toMatchObject({ code: 'ENOENT', path: at('none') });
  });

  test.runIf(process.platform === 'linux')('reads what the kernel says is empty', async () => {
    let text = '';
    for await (const chunk of files.stream('/proc/self/status')) text += Buffer.from(chunk).toString();
    expect(text).toContain('VmRSS');
    expect(Buffer.from(await files.read('/proc/self/status')).toString()).toContain('VmRSS');
  });

  test.runIf(process.platform !== 'win32')(
    'waits for who writes into a pipe, while everything else goes on',
    async () => {
      execFileSync('mkfifo', [at('pipe')]);
      const reading = whole('pipe');
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1), 5);
      await new Promise((resolve) => setTimeout(resolve, 60));
      spawn('sh', ['-c', '(printf one; sleep 0.1; printf two) > "$0"', at('pipe')], { stdio: 'ignore' });
      expect((await reading).bytes.toString()).toBe('onetwo');
      clearInterval(timer);
      expect(ticks).toBeGreaterThan(3);
    },
  );

  test('long rows of small files leave turns for timers', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    // By processor time: on a busy machine little is done in a quarter of a second.
    for (const start = process.threadCpuUsage(); process.threadCpuUsage(start).user < 250_000;) {
      await files.read(at('small'));
      await files.stat(at('small'));
    }
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
  });

  test('a small file that grows is read as it was', async () => {
    writeFileSync(at('log'), 'line\n');
    const chunks: string[] = [];
    for await (const chunk of files.stream(at('log'), { chunk: 3 })) {
      chunks.push(Buffer.from(chunk).toString());
      appendFileSync(at('log'), 'more\n');
    }
    expect(chunks.join('')).toBe('line\n');
  });
});
