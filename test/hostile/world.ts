import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { bytesOf, type Content } from './content.ts';

/** Text that stands outside of the root alone: wherever it shows, something has been read that must not be. */
export const CANARY = 'canary-5d1c0e7ab2';
/** A secret of the process environment, which is masked wherever it shows. */
export const SECRET = 'hush-93b1f6c0d47e';

/** Files, links and pipes of a case, by path. */
export interface Made {
  readonly files?: Readonly<Record<string, Content>>;
  /** Target of each link. */
  readonly links?: Readonly<Record<string, string>>;
  readonly pipes?: readonly string[];
  /** Those of the files that may be executed. */
  readonly executables?: readonly string[];
  /** Character devices of the kernel: `full`, `null`, `zero`. Only the superuser can make them. */
  /** Files of so many bytes that take no room on the disk. */
  readonly sparse?: Readonly<Record<string, number>>;
  readonly devices?: Readonly<Record<string, 'full' | 'null' | 'zero'>>;
}

/**
 * A place of a case: `box` is the stranger's project and the working folder, what stands beside it belongs to others.
 */
export interface World {
  readonly outer: string;
  readonly box: string;
  readonly home: string;
  /** Writable for everybody, as the system's one is. */
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
  make(made: Made): void;
  /** Appends a text to every file below a folder of the outer one, as somebody who forges a cache would. */
  forge(folder: string, text: string): void;
  /** Everything below `outer` with kind, mode, time and content. */
  snapshot(): ReadonlyMap<string, string>;
  close(): void;
}

const numbers = { full: '7', null: '3', zero: '5' } as const;

export function openWorld(): World {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')));
  const [box, home, tmp] = [join(outer, 'box'), join(outer, 'home'), join(outer, 'tmp')];
  for (const folder of [box, home, tmp]) mkdirSync(folder);
  chmodSync(tmp, 0o1777);
  // The mark of a root: no file of a folder above is looked for.
  mkdirSync(join(box, '.git'));
  writeFileSync(join(outer, 'victim.txt'), `${CANARY}\n`);
  writeFileSync(join(outer, 'victim.csv'), `${CANARY},b\n1,2\n`);
  writeFileSync(join(outer, 'victim.yaml'), `- [NO_${CANARY}, { a: 1 }]\n`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: tmp,
    XDG_CACHE_HOME: join(home, '.cache'),
    API_TOKEN: SECRET,
    LANG: 'C.UTF-8',
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  return {
    outer,
    box,
    home,
    tmp,
    env,
    make: (made) => make(box, made),
    forge: (folder, text) => {
      for (const path of filesBelow(join(outer, folder))) appendFileSync(path, text);
    },
    snapshot: () => new Map(snapshotOf(outer, outer)),
    close: () => rmSync(outer, { recursive: true, force: true }),
  };
}

function make(
  base: string,
  { files = {}, links = {}, pipes = [], executables = [], sparse = {}, devices = {} }: Made,
): void {
  const place = (name: string): string => {
    // Not `join`: a name with backslashes or dots is written as it stands.
    const path = `${base}/${name}`;
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(place(name), bytesOf(content));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, place(name));
  for (const [name, size] of Object.entries(sparse)) {
    writeFileSync(place(name), '');
    truncateSync(place(name), size);
  }
  for (const name of executables) chmodSync(place(name), 0o755);
  for (const name of pipes) execFileSync('mkfifo', [place(name)]);
  for (const [name, device] of Object.entries(devices)) execFileSync('mknod', [place(name), 'c', '1', numbers[device]]);
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function* snapshotOf(folder: string, outer: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const stats = lstatSync(path);
    const own = entry.isSymbolicLink()
      ? readlinkSync(path)
      : entry.isFile()
        ? `${stats.mtimeMs} ${stats.size < 2 ** 20 ? createHash('sha256').update(readFileSync(path)).digest('hex') : stats.size}`
        : '';
    yield [relative(outer, path), `${stats.mode.toString(8)} ${own}`];
    if (entry.isDirectory()) yield* snapshotOf(path, outer);
  }
}

/** Paths below `outer` that are new, gone or different. */
export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}
