import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's package of each program that tests compare with. */
const packages = {
  zip: 'zip',
  unzip: 'unzip',
  '7z': 'p7zip-full',
  python3: 'python3',
  sha256sum: 'coreutils',
  mkfifo: 'coreutils',
  split: 'coreutils',
  iconv: 'libc-bin',
  diff: 'diffutils',
  patch: 'patch',
  git: 'git',
  strace: 'strace',
  grep: 'grep',
  find: 'findutils',
  file: 'file',
  jq: 'jq',
  sqlite3: 'sqlite3',
  promtool: 'prometheus',
  prometheus: 'prometheus',
  rsync: 'rsync',
  tar: 'tar',
  bsdtar: 'libarchive-tools',
  xz: 'xz-utils',
  bzip2: 'bzip2',
  zstd: 'zstd',
  dnsmasq: 'dnsmasq-base',
  unshare: 'util-linux',
  setpriv: 'util-linux',
} as const;

/** Whether programs are missing, said in one line each. In CI nothing may be missing: the test then runs and fails. */
export function lacks(...programs: readonly (keyof typeof packages)[]): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length === 0 || process.env['CI']) return false;
  for (const program of missing)
    console.warn(`no ${program}: some tests of file commands are skipped; install the package ${packages[program]}`);
  return true;
}
