import { describe, expect, it } from 'vitest';

import { check, type CompileHost } from '#compiler/api.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import { printDiagnostics } from './print-diagnostics.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

async function said(content: Uint8Array, options: Parameters<typeof check>[1] = {}): Promise<string> {
  const { files, diagnostics } = await check(
    [{ path: '/work/a.yaml', content }],
    { root: '/work', ...options },
    memoryHost({ cwd: '/work' }),
  );
  return printDiagnostics({ files, diagnostics }).split('\n')[0] ?? '';
}

describe('what no text file can hold', () => {
  it.each([
    ['SVC10001 not-utf8', bytes(0x2d, 0x20, 0xff, 0x0a), 'a.yaml:1:3-1:4'],
    ['SVC10002 utf16-file', bytes(0xff, 0xfe, 0x2d, 0x00, 0x20, 0x00), 'a.yaml:1:1-'],
    ['SVC10003 file-cut-off', bytes(0x2d, 0x20, 0x61, 0xe2, 0x82), 'a.yaml:1:4-'],
    ['SVC10004 nul-character', bytes(0x2d, 0x20, 0x61, 0x00, 0x62), 'a.yaml:1:4-'],
  ])('%s', async (finding, content, place) => {
    const line = await said(content);
    expect(line).toContain(`error ${finding}:`);
    expect(line.startsWith(place), line).toBe(true);
  });

  it('SVC10006 file-too-large', async () => {
    expect(await said(new TextEncoder().encode('- AT_fake_uuid\n'), { limits: { bytes: 4 } })).toContain(
      'error SVC10006 file-too-large: ',
    );
  });
});

describe('a file that another one depends on', () => {
  const source = { path: '/work/a.yaml', content: 'meta: { depends_on: [b] }\nactions: [AT_fake_uuid]\n' };

  it('SVC10100 file-unreadable', async () => {
    const host = memoryHost({ cwd: '/work' });
    await host.files.write('/work/b.yaml', '- AT_fake_uuid\n');
    const denied: CompileHost = {
      ...host,
      files: {
        ...host.files,
        readRegular: async () => {
          throw new Error('EACCES: permission denied');
        },
      },
    };
    const compilation = await check([source], { root: '/work' }, denied);
    expect(printDiagnostics(compilation)).toBe(
      'b.yaml:1:1-1:1: error SVC10100 file-unreadable: The file cannot be read: EACCES: permission denied\n  at ``\n',
    );
    expect(compilation.isBroken('a.yaml')).toBe(true);
  });

  it('SVC40091 file-not-regular', async () => {
    const host = memoryHost({ cwd: '/work' });
    await host.files.write('/work/b.yaml', '- AT_fake_uuid\n');
    const piped: CompileHost = {
      ...host,
      files: { ...host.files, find: async () => ({ ...(await host.files.stat('/work/b.yaml')), kind: 'fifo' }) },
    };
    const compilation = await check([source], { root: '/work' }, piped);
    expect(printDiagnostics(compilation)).toBe(
      'a.yaml:1:22-1:23: error SVC40091 file-not-regular: "b" is no regular file.\n  at `b`\n',
    );
  });

  it('is not read when it is larger than a file may be', async () => {
    const host = memoryHost({ cwd: '/work' });
    await host.files.write('/work/b.yaml', 'x'.repeat(1000));
    const counted = { reads: 0 };
    const counting: CompileHost = {
      ...host,
      files: {
        ...host.files,
        read: (path) => {
          counted.reads += 1;
          return host.files.read(path);
        },
      },
    };
    const { diagnostics } = await check([source], { root: '/work', limits: { bytes: 500 } }, counting);
    expect(diagnostics.map(({ slug }) => slug)).toEqual(['file-too-large']);
    expect(counted.reads).toBe(0);
  });
});
