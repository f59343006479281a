import { textOfName } from '#schemas/types/file-name.ts';
import * as fail from '#schemas/generated/failures.ts';

import { Broken } from './broken.ts';
import { ByteSource } from './byte-source.ts';
import { BLOCK, isZero, parseHeader, type Header } from './header.ts';
import { decimal } from './numbers.ts';
import { parseRecords, timeOf, valueOf, type Records, type Said } from './pax.ts';
import type { TarMember } from './port.ts';
import { filled, oldMap, paxMap, type SparseMap } from './sparse.ts';

/** More than any name, and room for attributes; what is larger, by itself or together, is made to fill memory. */
const MOST_ABOUT = 1024 * 1024;

/** Content of the headers in front of a member. */
interface About {
  readonly records: Records;
  /** Bytes that the records took in the archive. */
  readonly length: number;
  readonly name?: string;
  readonly target?: string;
}

const nothing: About = { records: [], length: 0 };

export async function* readMembers(bytes: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<TarMember, void> {
  const source = new ByteSource(bytes);
  try {
    const globals = new Globals();
    let about = nothing;
    for (;;) {
      const block = await source.take(BLOCK);
      if (block === undefined) throw new Broken('the archive has no end mark');
      if (isZero(block)) break;
      const header = parseHeader(block);
      if ('xXgLKV'.includes(header.type)) {
        const said = await metadata(header, source);
        if (header.type === 'g') globals.add(parseRecords(said));
        else about = { ...about, ...aboutNext(header.type, said, about) };
        continue;
      }
      const entry = await open(header, block, source, { ...about, globals: globals.values }, path);
      about = nothing;
      yield entry.member;
      await entry.finish();
    }
    await source.drain();
  } catch (error) {
    throw told(error, path);
  } finally {
    await source.close();
  }
}

function told(error: unknown, path: string): unknown {
  return error instanceof Broken ? fail.tarBroken({ path, cause: error }) : error;
}

async function metadata({ size }: Header, source: ByteSource): Promise<Uint8Array> {
  if (size > MOST_ABOUT) throw new Broken('an extended header is too large');
  const said = (await source.take(size))?.slice() ?? new Uint8Array();
  await source.skip(-size & (BLOCK - 1));
  if (said.length < size) throw new Broken('the archive ends in the middle of a member');
  return said;
}

/** Records that hold for all members behind them: of each key the last value. */
class Globals {
  readonly values = new Map<string, string>();
  #length = 0;

  add(records: Records): void {
    for (const [key, value] of records) {
      const old = this.values.get(key);
      this.#length += value.length - (old?.length ?? -key.length);
      this.values.set(key, value);
    }
    if (this.#length > MOST_ABOUT) throw new Broken('the records of the whole archive are too large');
  }
}

function aboutNext(type: string, said: Uint8Array, { records, length }: About): Partial<About> {
  const text = (): string => textOfName(said.at(-1) === 0 ? said.subarray(0, said.indexOf(0)) : said);
  if (type === 'L') return { name: text() };
  if (type === 'K') return { target: text() };
  // The name of a volume is about no member.
  if (type === 'V') return {};
  const all = length + BLOCK + said.length;
  if (all > MOST_ABOUT + BLOCK) throw new Broken('the extended headers of a member are too large');
  return { records: [...records, ...parseRecords(said)], length: all };
}

interface Entry {
  readonly member: TarMember;
  /** Passes over what nobody read. */
  finish(): Promise<void>;
}

const kinds: Readonly<Record<string, TarMember['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  S: 'file',
  '1': 'hard-link',
  '2': 'symlink',
  '5': 'folder',
  D: 'folder',
};

async function open(
  header: Header,
  block: Uint8Array,
  source: ByteSource,
  about: About & Said,
  path: string,
): Promise<Entry> {
  const name = valueOf(about, 'GNU.sparse.name') ?? valueOf(about, 'path') ?? about.name ?? header.name;
  const kind = kindOf(header.type, name);
  const stored = storedSize(header, valueOf(about, 'size'), kind);
  const map =
    header.type === 'S' ? await oldMap(block, source) : kind === 'file' ? await paxMap(about, source) : undefined;
  const sizes = map ?? { size: kind === 'file' ? stored : 0, pieces: [{ from: 0, length: stored }], taken: 0 };
  if (map !== undefined && map.pieces.reduce((sum, { length }) => sum + length, map.taken) !== stored)
    throw new Broken('the map of a sparse file does not fit its content');
  const body = new Body(source, stored - sizes.taken);
  const target =
    kind === 'symlink' || kind === 'hard-link'
      ? { target: valueOf(about, 'linkpath') ?? about.target ?? header.target }
      : {};
  const facts = {
    name,
    kind,
    size: sizes.size,
    mode: header.mode,
    modifiedMs: timeOf(valueOf(about, 'mtime')) ?? header.modifiedMs,
    ...target,
  };
  return {
    member: { ...facts, content: () => body.content(sizes, path) },
    finish: async () => {
      await body.skip();
      await source.skip(-stored & (BLOCK - 1));
    },
  };
}

function kindOf(type: string, name: string): TarMember['kind'] {
  if (type === 'M') throw new Broken('the archive continues another one');
  const kind = kinds[type] ?? 'other';
  // Programs older than POSIX mark folders by the name alone.
  return kind === 'file' && name.endsWith('/') ? 'folder' : kind;
}

/**
 * Links and folders have no content, whatever size they tell of: programs differ on what follows a hard link with one.
 */
function storedSize({ type, size }: Header, said: string | undefined, kind: TarMember['kind']): number {
  const stored = said === undefined ? size : decimal(said);
  if (kind === 'hard-link' && stored > 0) throw new Broken('a hard link has content');
  return kind === 'symlink' || type === '5' || '346'.includes(type) ? 0 : stored;
}

/** The content of one member, which is read once at most. */
class Body {
  readonly #source: ByteSource;
  #left: number;

  constructor(source: ByteSource, length: number) {
    this.#source = source;
    this.#left = length;
  }

  async *content(map: SparseMap, path: string): AsyncGenerator<Uint8Array, void> {
    try {
      yield* filled(map, { pass: (length: number) => this.#pass(length) });
    } catch (error) {
      throw told(error, path);
    }
  }

  async skip(): Promise<void> {
    for await (const _ of this.#pass(this.#left)) continue;
  }

  async *#pass(length: number): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#source.pass(Math.min(length, this.#left))) {
      this.#left -= piece.length;
      yield piece;
    }
  }
}
