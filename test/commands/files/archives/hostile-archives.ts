import { execFileSync } from 'node:child_process';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { rawRar } from './raw-rar.ts';
import { rawSevenZip } from './raw-seven-zip.ts';
import { paxOf, rawTar, type RawTarMember } from './raw-tar.ts';
import { rawZip } from './raw-zip.ts';

/** An archive that must be refused, whichever way it is written. */
export interface HostileArchive {
  readonly what: string;
  readonly bytes: Buffer;
  /** Codes of the refusals that fit. */
  readonly codes: readonly string[];
}

interface Item {
  readonly name: string;
  readonly kind?: 'file' | 'folder' | 'symlink' | 'hard-link';
  readonly target?: string;
}

interface Trick {
  readonly what: string;
  readonly items: readonly Item[];
  readonly codes: readonly string[];
}

const OUTSIDE = ['SVC85002'];
const UNUSABLE = ['SVC85003'];
const COLLISION = ['SVC85037'];
const LINK = ['SVC85002', 'SVC86005', 'SVC86006', 'SVC85038', 'SVC85037', 'SVC85003'];

const named = (name: string, codes: readonly string[]): Trick => ({
  what: JSON.stringify(name.slice(0, 40)),
  items: [{ name: 'good.txt' }, { name }],
  codes,
});

const names: readonly Trick[] = [
  ...[
    '../evil',
    'a/../../evil',
    './../evil',
    'a/b/../../../evil',
    '..',
    'a/..',
    '/evil-root',
    '//evil-root',
    '/',
    'C:\\evil',
    'c:/evil',
    '..\\evil',
    'a\\..\\..\\evil',
    '\\evil',
    '\\\\server\\share\\evil',
    `${'../'.repeat(60)}tmp/evil`,
    'a/../evil',
  ].map((name) => named(name, [...OUTSIDE, ...UNUSABLE])),
  ...['CON', 'sub/nul.txt', 'aux', 'com1.log', 'LPT9', 'CONIN$', 'prn .txt'].map((name) => named(name, UNUSABLE)),
  named(`${'d/'.repeat(300)}x`, UNUSABLE),
  named(`${'n'.repeat(250)}/`.repeat(17), UNUSABLE),
];

const collisions: readonly Trick[] = [
  { what: 'one name twice', items: [{ name: 'a' }, { name: 'a' }], codes: COLLISION },
  { what: 'names that differ by letter case', items: [{ name: 'x/A' }, { name: 'X/a' }], codes: COLLISION },
  { what: 'an accent in two forms', items: [{ name: '\u00e9' }, { name: 'e\u0301' }], codes: COLLISION },
  { what: 'a file where a folder is needed', items: [{ name: 'a' }, { name: 'a/b' }], codes: COLLISION },
  { what: 'a folder that is a file as well', items: [{ name: 'a/b' }, { name: 'A' }], codes: COLLISION },
];

const link = (name: string, target: string): Item => ({ name, kind: 'symlink', target });
const again = (name: string, target: string): Item => ({ name, kind: 'hard-link', target });

/** `secret` stands beside the target folder. */
const links: readonly Trick[] = [
  { what: 'a link to an absolute place', items: [link('out', '/etc/passwd')], codes: LINK },
  { what: 'a link to the folder above', items: [link('out', '..')], codes: LINK },
  { what: 'a link to a file beside', items: [link('out', '../secret')], codes: LINK },
  { what: 'a link that leads in and out', items: [link('a/out', 'b/../../../secret')], codes: LINK },
  { what: 'a file through a link', items: [link('out', '..'), { name: 'out/evil' }], codes: LINK },
  {
    what: 'a file through a link to an absolute folder',
    items: [link('out', '/tmp'), { name: 'out/evil-link' }],
    codes: LINK,
  },
  {
    what: 'two links that lead out together',
    items: [{ name: 'z', kind: 'folder' }, link('a/b/s', '../../z'), link('t', 'a/b/s/../../secret')],
    codes: LINK,
  },
  { what: 'a chain of links', items: [link('a', '.'), link('b', 'a/..')], codes: LINK },
  {
    what: 'a link that is replaced by a folder',
    items: [link('a', '..'), { name: 'a', kind: 'folder' }, { name: 'a/evil' }],
    codes: LINK,
  },
  { what: 'a loop of links', items: [link('a', 'b'), link('b', 'a')], codes: LINK },
  { what: 'a link with backslashes', items: [link('out', '..\\secret')], codes: LINK },
  { what: 'a link to a drive', items: [link('out', 'C:\\secret')], codes: LINK },
  {
    what: 'links that each lead through the one before twice',
    items: [
      { name: 'l0', kind: 'folder' },
      ...Array.from({ length: 60 }, (_one, index) => link(`l${index + 1}`, `l${index}/../l${index}`)),
    ],
    codes: LINK,
  },
  { what: 'an empty link', items: [link('out', '')], codes: [...LINK, 'SVC86000'] },
  { what: 'a second name of a file beside', items: [again('out', '../secret')], codes: LINK },
  { what: 'a second name of an absolute file', items: [again('out', '/etc/passwd')], codes: LINK },
  { what: 'a second name of itself', items: [again('out', 'out')], codes: LINK },
  { what: 'a second name of a later member', items: [again('out', 'later'), { name: 'later' }], codes: LINK },
  { what: 'a second name of a file that was there before', items: [again('out', 'old.txt')], codes: LINK },
  { what: 'a second name of a link', items: [link('a', 'b'), again('c', 'a')], codes: LINK },
];

const modes = { file: 0o100644, folder: 0o40755, symlink: 0o120777, 'hard-link': 0o100644 } as const;

const asTar = (items: readonly Item[]): Buffer => rawTar(items.flatMap(tarMembers));

/** Names that a header has no room for go into a record. */
function tarMembers({ name, kind = 'file', target = '' }: Item): readonly RawTarMember[] {
  const type = { file: '0', folder: '5', symlink: '2', 'hard-link': '1' }[kind];
  const member = {
    name: Buffer.from(name).toString('latin1').slice(0, 100),
    type,
    target,
    content: kind === 'file' ? 'evil' : '',
  };
  return Buffer.byteLength(name) > 100 ? [paxOf({ path: name }), member] : [member];
}

const asZip = (items: readonly Item[]): Buffer =>
  rawZip(
    items.map(({ name, kind = 'file', target }) => ({
      name: kind === 'folder' ? `${name}/` : name,
      content: target ?? 'evil',
      mode: kind === 'hard-link' ? modes.symlink : modes[kind],
    })),
  );
const asSevenZip = (items: readonly Item[]): Buffer =>
  rawSevenZip(
    items.map(({ name, kind = 'file', target }) => ({
      name,
      isFolder: kind === 'folder',
      content: kind === 'folder' ? '' : (target ?? 'evil'),
      mode: kind === 'hard-link' ? modes.symlink : modes[kind],
    })),
  );
const asRar = (items: readonly Item[]): Buffer =>
  rawRar(
    items.map(({ name, kind = 'file', target }) => ({
      name,
      isFolder: kind === 'folder',
      mode: modes[kind],
      ...(kind === 'file' && { content: 'evil' }),
      ...(kind === 'symlink' && { link: 1 as const, target: target ?? '' }),
      ...(kind === 'hard-link' && { link: 4 as const, target: target ?? '' }),
    })),
  );

/** The least block and dictionary: hundreds of small archives are packed and unpacked in a fraction of the time. */
const packers: Readonly<Record<string, (tar: Buffer) => Buffer>> = {
  tar: (tar) => tar,
  'tar.gz': (tar) => gzipSync(tar),
  'tar.zst': (tar) => zstdCompressSync(tar),
  'tar.bz2': (tar) => execFileSync('bzip2', ['-1c'], { input: tar, maxBuffer: 2 ** 30 }),
  'tar.xz': (tar) => execFileSync('xz', ['-0c'], { input: tar, maxBuffer: 2 ** 30 }),
};

/** Records that are good one by one, and fill memory together. */
const filling = (type: 'x' | 'g'): readonly RawTarMember[] =>
  Array.from({ length: 4 }, (_one, index) => paxOf({ [`comment${index}`]: 'v'.repeat(400_000) }, type));

/** Archives that only tar can express. */
const tarOnly: readonly { readonly what: string; readonly bytes: Buffer; readonly codes: readonly string[] }[] = [
  ...['3', '4', '6'].map((type) => ({
    what: `a device of type ${type}`,
    bytes: rawTar([{ name: 'dev', type }]),
    codes: ['SVC85038'],
  })),
  {
    what: 'a member of an unknown type',
    bytes: rawTar([{ name: 'x', type: 'Z', content: 'evil' }]),
    codes: ['SVC85038'],
  },
  {
    what: 'a record that replaces a harmless name',
    bytes: rawTar([paxOf({ path: '../evil' }), { name: 'good' }]),
    codes: OUTSIDE,
  },
  {
    what: 'a record of the whole archive with a name',
    bytes: rawTar([paxOf({ path: '/evil-root' }, 'g'), { name: 'good' }]),
    codes: OUTSIDE,
  },
  {
    what: 'a long name of GNU',
    bytes: rawTar([{ name: 'l', type: 'L', content: '../evil\0' }, { name: 'good' }]),
    codes: OUTSIDE,
  },
  {
    what: 'a long link of GNU',
    bytes: rawTar([
      { name: 'l', type: 'K', content: '/etc/passwd\0' },
      { name: 'good', type: '2', target: 'a' },
    ]),
    codes: LINK,
  },
  {
    what: 'a record that replaces where a link leads',
    bytes: rawTar([paxOf({ linkpath: '../secret' }), { name: 'good', type: '2', target: 'a' }]),
    codes: LINK,
  },
  {
    what: 'a name of a sparse file',
    bytes: rawTar([
      paxOf({ 'GNU.sparse.name': '../evil', 'GNU.sparse.size': '4', 'GNU.sparse.map': '0,4' }),
      { name: 'good', content: 'evil' },
    ]),
    codes: OUTSIDE,
  },
  { what: 'a zero in a name', bytes: rawTar([paxOf({ path: 'a\0b' }), { name: 'good' }]), codes: UNUSABLE },
  { what: 'a beginning of POSIX', bytes: rawTar([{ name: 'evil', prefix: '..' }]), codes: OUTSIDE },
  {
    what: 'a hole of a terabyte',
    bytes: rawTar([
      paxOf({ 'GNU.sparse.size': '1099511627776', 'GNU.sparse.map': '0,4' }),
      { name: 'a', content: 'evil' },
    ]),
    codes: ['SVC85035'],
  },
  {
    what: 'a hole of a gigabyte',
    bytes: rawTar([
      paxOf({ 'GNU.sparse.size': '1073741824', 'GNU.sparse.map': '0,4' }),
      { name: 'a', content: 'evil' },
    ]),
    codes: ['SVC85036'],
  },
  {
    what: 'a size that the archive does not have',
    bytes: rawTar([{ name: 'a', size: 2 ** 31 }]),
    codes: ['SVC86000', 'SVC85036'],
  },
  {
    what: 'a sparse map without end',
    bytes: rawTar([
      paxOf({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '9' }),
      { name: 'a', content: '999999\n0\n1\n' },
    ]),
    codes: ['SVC86000'],
  },
  {
    what: 'a header of megabytes',
    bytes: rawTar([{ name: 'x', type: 'x', content: Buffer.alloc(2_000_000, 'a') }]),
    codes: ['SVC86000'],
  },
  {
    what: 'hundreds of links with thousands of steps each',
    bytes: rawTar([
      ...Array.from({ length: 500 }, (_one, index) => [
        paxOf({ linkpath: `${'x/../'.repeat(700)}y` }),
        { name: `l${index}`, type: '2' },
      ]).flat(),
      { name: 'out', type: '2', target: '..' },
    ]),
    codes: LINK,
  },
  {
    what: 'a chain of hundreds of links, the last one first',
    bytes: rawTar(
      Array.from({ length: 500 }, (_one, index) => ({ name: `l${500 - index}`, type: '2', target: `l${499 - index}` })),
    ),
    codes: LINK,
  },
  { what: 'headers of megabytes together', bytes: rawTar([...filling('x'), { name: 'a' }]), codes: ['SVC86000'] },
  {
    what: 'records of the whole archive of megabytes together',
    bytes: rawTar([...filling('g'), { name: 'a' }]),
    codes: ['SVC86000'],
  },
  {
    what: 'thousands of headers of one member',
    bytes: rawTar([...Array.from({ length: 5000 }, () => paxOf({ a: 'b' })), { name: 'a' }]),
    codes: ['SVC86000'],
  },
  { what: 'the file of another volume', bytes: rawTar([{ name: 'a', type: 'M', content: 'x' }]), codes: ['SVC86000'] },
];

/** Archives that only ZIP can express. */
const zipOnly: readonly HostileArchive[] = [
  ...[0o20666, 0o60666, 0o10666, 0o140666].map((mode) => ({
    what: `zip: a member of mode ${mode.toString(8)}`,
    bytes: rawZip([{ name: 'dev', mode }]),
    codes: ['SVC85038'],
  })),
  {
    what: 'zip: a name with backslashes of DOS',
    bytes: rawZip([{ name: 'a\\..\\..\\evil', system: 0 }]),
    codes: OUTSIDE,
  },
  { what: 'zip: 11 MiB of zeros', bytes: rawZip([{ name: 'a', zeros: 11 * 2 ** 20 }]), codes: ['SVC85036'] },
  {
    what: 'zip: an unknown method',
    bytes: rawZip([{ name: 'a', content: 'x', method: 99 }]),
    codes: ['SVC85039', 'SVC85032', 'SVC85042', 'SVC85030'],
  },
  { what: 'zip: members that share their bytes', bytes: overlapping(), codes: ['SVC85042', 'SVC85030'] },
  {
    what: 'zip: a list that is cut off',
    bytes: rawZip([
      { name: 'a', content: 'x' },
      { name: 'b', content: 'y' },
    ]).subarray(0, -30),
    codes: ['SVC85030', 'SVC86002'],
  },
];

function overlapping(): Buffer {
  const bytes = rawZip([
    { name: 'a', content: '0'.repeat(100_000) },
    { name: 'b', content: '0'.repeat(100_000) },
  ]);
  bytes.writeUInt32LE(0, bytes.lastIndexOf(Buffer.from('504b0102', 'hex')) + 42);
  return bytes;
}

/** Content that unpacks to far more than it takes. */
function bombs(): readonly HostileArchive[] {
  const zeros = rawTar([{ name: 'zeros', content: Buffer.alloc(12 * 2 ** 20) }]);
  const trailing = Buffer.concat([rawTar([{ name: 'a' }]), Buffer.alloc(90 * 2 ** 20)]);
  return Object.entries(packers)
    .filter(([format]) => format !== 'tar')
    .flatMap(([format, pack]) => [
      { what: `${format}: 12 MiB of zeros`, bytes: pack(zeros), codes: ['SVC85036'] },
      ...(format === 'tar.bz2'
        ? []
        : [{ what: `${format}: zeros without end behind the end mark`, bytes: pack(trailing), codes: ['SVC85036'] }]),
    ]);
}

/** The whole corpus, the same each time. */
export function hostileArchives(): readonly HostileArchive[] {
  const general = [...names, ...collisions, ...links];
  const tars = Object.entries(packers).flatMap(([format, pack]) =>
    [...general.map((trick) => ({ ...trick, bytes: asTar(trick.items) })), ...tarOnly].map(
      ({ what, bytes, codes }) => ({ what: `${format}: ${what}`, bytes: pack(bytes), codes }),
    ),
  );
  const zips = general.map(({ what, items, codes }) => ({ what: `zip: ${what}`, bytes: asZip(items), codes }));
  const sevens = [
    ...names.slice(0, 12),
    ...collisions,
    ...links.filter(({ items }) => items.length === 1).slice(0, 4),
  ].map(({ what, items, codes }) => ({ what: `7z: ${what}`, bytes: asSevenZip(items), codes }));
  // 7-Zip itself makes a harmless name of a lone slash.
  const rars = [
    ...names.slice(0, 12).filter(({ what }) => what !== '"/"'),
    ...collisions,
    ...links.slice(0, 5),
    ...links.slice(13, 16),
  ].map(({ what, items, codes }) => ({ what: `rar: ${what}`, bytes: asRar(items), codes: [...codes, 'SVC86008'] }));
  const broken = [
    {
      what: '7z: a dictionary of 4 GiB',
      bytes: rawSevenZip([{ name: 'a', content: 'x' }], { dictionary: 40 }),
      codes: ['SVC86008'],
    },
  ];
  return [...tars, ...zips, ...zipOnly, ...sevens, ...rars, ...broken, ...bombs()];
}
