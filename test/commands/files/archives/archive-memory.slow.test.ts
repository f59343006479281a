import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { lacks } from '../../../fixtures/programs.ts';

/** Node itself takes 100. */
const MOST_MB = 260;

/** 7-Zip holds a dictionary and its own memory beside. */
const MOST_MB_OF_7Z = 420;
const MIB = 192;
const SIZE = MIB * 2 ** 20;

let folder = '';

const lacksSources = lacks('sh', 'truncate', 'tar');
beforeAll(() => {
  if (lacksSources) return;
  folder = mkdtempSync(join(tmpdir(), 'svc-memory-'));
  execFileSync('sh', ['-c', `mkdir in && truncate -s ${SIZE} in/zeros && tar -cf o.tar in`], { cwd: folder });
});
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

const own = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs one command in a process of its own that lets any ratio pass; yields the most that it held, in MB. */
function memoryOf(module: string, name: string, params: object): number {
  const script = `
    import { readFileSync } from 'node:fs';
    const { call, openPlace } = await import(${own('../call-here.ts')});
    const family = await import(${own(`../../../../stdlib/files/archives/${module}`)});
    const place = await openPlace({ limits: { archive_ratio: 1e9 } });
    await call(family.${name}, place, ${JSON.stringify(params)});
    await place.close();
    // Not the usage that the system tells: that begins with what the parent held when it forked.
    const [, peak] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
    process.stdout.write(String(peak / 1024));
  `;
  return Number(
    execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}

it.skipIf(process.platform !== 'linux' || lacks('tar', 'zip', '7z', 'bzip2', 'xz', 'zstd')).each([
  ['tar', 'cp o.tar a'],
  ['tar.gz', 'gzip -1c o.tar > a'],
  ['tar.zst', 'zstd -qc o.tar > a'],
  ['tar.bz2', 'bzip2 -1c o.tar > a'],
  ['tar.xz', 'xz -0c o.tar > a'],
  ['zip', 'zip -q1r a.zip in && mv a.zip a'],
  ['7z', '7z a -bd -mx=1 a.7z in && mv a.7z a'],
])(
  `unpacking ${MIB} MiB of %s takes no more memory than less would`,
  (format, pack) => {
    execFileSync('sh', ['-c', pack], { cwd: folder, stdio: 'ignore' });
    expect(memoryOf('archive/archive.ts', 'FA_archive_extract', { source: 'a', target: 'out' })).toBeLessThan(
      format === '7z' ? MOST_MB_OF_7Z : MOST_MB,
    );
    expect(statSync(join(folder, 'out/in/zeros')).size).toBe(SIZE);
    expect(readdirSync(join(folder, 'out'))).toEqual(['in']);
    rmSync(join(folder, 'out'), { recursive: true });
  },
  60_000,
);

it.skipIf(lacksSources).each([
  ['tar/tar.ts', 'FA_create_tar', { source: 'in', target: 'made', compression: 'gz' }],
  ['tar/tar.ts', 'FA_create_tar', { source: 'in', target: 'made', compression: 'zst' }],
  ['zip/zip.ts', 'FA_zip_dir', { dir_we_want_to_zip: 'in', zip_name: 'made.zip', progress_name: null }],
])(
  `%s: %s of ${MIB} MiB takes no more memory than less would`,
  (module, name, params) => {
    expect(memoryOf(module, name, params)).toBeLessThan(MOST_MB);
  },
  60_000,
);
