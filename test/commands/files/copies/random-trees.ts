import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

import { execFileSync } from 'node:child_process';

/** A pair of trees, the second a changed copy of the first, from one number: the same number makes the same pair. */
export function makeTrees(seed: number, source: Buffer, target: Buffer): void {
  const chance = chanceFrom(seed);
  const tree = randomFolder(chance, 0);
  writeNode(source, tree);
  writeNode(target, changedFolder(chance, tree, 0));
}

type Node = FileNode | FolderNode | { readonly kind: 'symlink'; readonly text: string } | { readonly kind: 'fifo' };
interface Stamp {
  readonly mode: number;
  /** Whole seconds and halves. */
  readonly mtime: number;
}
interface FileNode extends Stamp {
  readonly kind: 'file';
  readonly content: string;
  /** Bytes of a hole behind the content. */
  readonly hole: number;
}
interface FolderNode extends Stamp {
  readonly kind: 'directory';
  readonly entries: ReadonlyMap<string, Node>;
}

type Chance = <Item>(items: readonly Item[]) => Item;

function chanceFrom(seed: number): Chance {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (items) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return items[((mixed ^ (mixed >>> 14)) >>> 0) % items.length] as (typeof items)[number];
  };
}

/** Latin-1 text of the names' bytes, so that names which are no UTF-8 are among them. */
const bytes = (name: string): string => Buffer.from(name).toString('latin1');
const names = [
  ...[
    'a',
    'A',
    'b',
    'B.txt',
    'b.TXT',
    'ab',
    'a b',
    '.hidden',
    '-rf',
    'back\\slash',
    '\\#012',
    'new\nline',
    'quo\'te"',
    '*',
    '[a]',
    '~',
    'c.tmp',
    '.c.tmp',
  ].map(bytes),
  ...[
    '\u00e9',
    'e\u0301',
    '\u00c9',
    '\u00df',
    '\ufb01',
    '\u65e5\u672c',
    '\u{1f600}',
    '\u212b',
    '\u00c5',
    'A\u030a',
  ].map(bytes),
  ...['\xff', 'f\xfe', '\xc3', 'a\xed\xa0\x80'],
  ...['x'.repeat(255), `${'x'.repeat(254)}y`, bytes('\u65e5'.repeat(85))],
];
// Only the superuser reads what nobody may read, and removes what is in a folder that nobody may write to.
const isRoot = process.geteuid?.() === 0;
const modes = [0o644, 0o600, 0o755, 0o444, 0o640, isRoot ? 0o000 : 0o400];
const folderModes = [0o755, 0o700, 0o750, isRoot ? 0o555 : 0o711];
const texts = ['a', '.', '..', 'nowhere', '/etc/hostname', '../a', 'x'.repeat(300), '\u00e9'];
const contents = ['', 'x', 'y', 'xy', 'yx', 'one\n', 'two\n', 'z'.repeat(5000)];
const base = 1_600_000_000;
/** Less than two seconds apart, or more than three: between them rsync counts whole seconds only. */
const shifts = [0, 0, 0, 0.5, 1, -1.5, 2, -2, 3, -3, 60, -86_400];

function stamp(chance: Chance, of: readonly number[]): Stamp {
  return { mode: chance(of), mtime: base + chance([0, 10, 1_000_000]) };
}

function randomFolder(chance: Chance, depth: number): FolderNode {
  const entries = new Map<string, Node>();
  for (let left = chance([0, 1, 2, 3, 4, 5].slice(depth === 0 ? 2 : 0)); left > 0; left -= 1)
    entries.set(chance(names), randomNode(chance, depth + 1));
  return { kind: 'directory', entries, ...stamp(chance, folderModes) };
}

function randomNode(chance: Chance, depth: number): Node {
  switch (chance(['file', 'file', 'file', 'file', 'symlink', 'folder', 'folder', 'sparse', 'fifo'] as const)) {
    case 'folder':
      if (depth < 4) return randomFolder(chance, depth);
      return { kind: 'symlink', text: 'deep' };
    case 'symlink':
      return { kind: 'symlink', text: chance(texts) };
    case 'fifo':
      // Making a pipe takes a process, so there are few.
      if (chance([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) === 1) return { kind: 'fifo' };
      return { kind: 'file', content: '', hole: 0, ...stamp(chance, modes) };
    case 'sparse':
      return {
        kind: 'file',
        content: chance(contents),
        hole: chance([4096, 100_000, 400_000]),
        ...stamp(chance, modes),
      };
    default:
      return { kind: 'file', content: chance(contents), hole: 0, ...stamp(chance, modes) };
  }
}

function changedFolder(chance: Chance, folder: FolderNode, depth: number): FolderNode {
  const entries = new Map<string, Node>();
  for (const [name, node] of folder.entries) {
    const changed = changedNode(chance, node, depth + 1);
    if (changed !== undefined) entries.set(name, changed);
  }
  for (let left = chance([0, 0, 0, 1, 2]); left > 0; left -= 1) {
    const name = chance(names);
    if (!folder.entries.has(name)) entries.set(name, randomNode(chance, depth + 1));
  }
  return {
    kind: 'directory',
    entries,
    mode: chance([folder.mode, folder.mode, chance(folderModes)]),
    mtime: folder.mtime + chance(shifts),
  };
}

/** Undefined: it is missing. */
function changedNode(chance: Chance, node: Node, depth: number): Node | undefined {
  const what = chance(['same', 'same', 'same', 'like', 'like', 'missing', 'other'] as const);
  if (what === 'missing') return undefined;
  if (what === 'other') return randomNode(chance, depth);
  switch (node.kind) {
    case 'directory':
      return changedFolder(chance, node, depth);
    case 'symlink':
      return what === 'same' ? node : { ...node, text: chance(texts) };
    case 'file':
      if (what === 'same') return node;
      return {
        ...node,
        content: chance([node.content, node.content, chance(contents)]),
        mode: chance([node.mode, chance(modes)]),
        mtime: node.mtime + chance(shifts),
      };
    default:
      return node;
  }
}

function writeNode(path: Buffer, node: Node): void {
  switch (node.kind) {
    case 'directory':
      mkdirSync(path);
      for (const [name, entry] of node.entries)
        writeNode(Buffer.concat([path, Buffer.from(`/${name}`, 'latin1')]), entry);
      chmodSync(path, node.mode);
      return utimesSync(path, base, node.mtime);
    case 'symlink':
      return symlinkSync(node.text, path);
    case 'fifo':
      // A name that is no UTF-8 cannot be an argument here; its pipe is left out.
      if (path.equals(Buffer.from(path.toString()))) execFileSync('mkfifo', ['--', path.toString()]);
      return;
    case 'file':
      writeFileSync(path, node.content);
      if (node.hole > 0) widen(path, node.content.length + node.hole);
      chmodSync(path, node.mode);
      return utimesSync(path, base, node.mtime);
    default:
      node satisfies never;
  }
}

function widen(path: Buffer, length: number): void {
  const file = openSync(path, 'r+');
  ftruncateSync(file, length);
  closeSync(file);
}
