import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { built } from '../../../built.ts';

/** Large files are read in a thread whose text must be there wherever the command is. */
it('takes the digest of a large file from an installed command line and in a program of one file', async () => {
  const bin = join(await built(), 'dist/bin/svc.js');
  const folder = mkdtempSync(join(tmpdir(), 'svc-checksum-'));
  try {
    const content = Buffer.alloc(50 << 20, 'all kinds of text');
    writeFileSync(join(folder, 'large'), content);
    writeFileSync(join(folder, 'input.json'), JSON.stringify({ actions: [['FA_file_checksum', { path: 'large' }]] }));
    const digest = createHash('sha256').update(content).digest('hex');
    const node = (...args: readonly string[]): string =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const recorded = (): unknown =>
      (JSON.parse(readFileSync(join(folder, 'record.jsonl'), 'utf8')) as { readonly result: unknown }).result;
    node(bin, 'run', 'input.json', '--record', 'record.jsonl');
    expect(recorded()).toBe(digest);
    for (const options of [[], ['--minify']]) {
      node(bin, 'compile', 'input.json', '--out', 'program', ...options);
      node('program/input.mjs', '--record', 'record.jsonl');
      expect(recorded()).toBe(digest);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
