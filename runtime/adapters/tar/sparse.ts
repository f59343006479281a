import { Broken } from './broken.ts';
import type { ByteSource } from './byte-source.ts';
import { BLOCK } from './header.ts';
import { decimal, numberAt } from './numbers.ts';
import { valueOf, type Said } from './pax.ts';

/** A file with holes: which pieces of it the archive holds. */
export interface SparseMap {
  readonly size: number;
  readonly pieces: readonly Piece[];
  /** Bytes in front of the first piece that held the map itself. */
  readonly taken: number;
}

interface Piece {
  readonly from: number;
  readonly length: number;
}

/** More pieces than any file that was not made to be unpacked slowly. */
const PIECES = 1_000_000;

/** The map of a GNU header of type `S`: four pieces in the header, more in blocks behind it. */
export async function oldMap(header: Uint8Array, source: ByteSource): Promise<SparseMap> {
  const pieces = piecesIn(header, 386, 4);
  const size = numberAt(header, 483, 12);
  for (let more = header[482] !== 0; more;) {
    const block = await source.take(BLOCK);
    if (block === undefined || pieces.length > PIECES) throw new Broken('the map of a sparse file has no end');
    pieces.push(...piecesIn(block, 0, 21));
    more = block[504] !== 0;
  }
  return checked({ size, pieces, taken: 0 });
}

function piecesIn(block: Uint8Array, at: number, count: number): Piece[] {
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = at + index * 24;
    if (block[place] === 0) break;
    pieces.push({ from: numberAt(block, place, 12), length: numberAt(block, place + 12, 12) });
  }
  return pieces;
}

/** The map that extended headers tell of, in any of three versions; undefined where the file is not sparse. */
export async function paxMap(said: Said, source: ByteSource): Promise<SparseMap | undefined> {
  if (valueOf(said, 'GNU.sparse.major') === '1')
    return mapInContent(decimal(valueOf(said, 'GNU.sparse.realsize')), source);
  const size = valueOf(said, 'GNU.sparse.size');
  if (size === undefined) return undefined;
  const map = valueOf(said, 'GNU.sparse.map');
  const numbers =
    map === undefined
      ? said.records
          .filter(([key]) => key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes')
          .map(([, value]) => value)
      : map.split(',');
  return checked({ size: decimal(size), pieces: paired(numbers), taken: 0 });
}

/** Version 1.0: numbers in lines in front of the content, filled up to whole blocks. */
async function mapInContent(size: number, source: ByteSource): Promise<SparseMap> {
  const numbers: string[] = [];
  let rest = '';
  let taken = 0;
  for (let wanted = 1; numbers.length < wanted;) {
    const block = await source.take(BLOCK);
    if (block === undefined) throw new Broken('the map of a sparse file has no end');
    taken += BLOCK;
    const lines = (rest + String.fromCharCode(...block)).split('\n');
    rest = lines.pop() ?? '';
    numbers.push(...lines);
    const count = numbers.length > 0 ? decimal(numbers[0]) : 0;
    if (count > PIECES || rest.length > BLOCK) throw new Broken('a sparse file has too many pieces');
    wanted = 1 + count * 2;
  }
  return checked({ size, pieces: paired(numbers.slice(1, 1 + decimal(numbers[0]) * 2)), taken });
}

function paired(numbers: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2)
    pieces.push({ from: decimal(numbers[at]), length: decimal(numbers[at + 1]) });
  return pieces;
}

/** Pieces stand in order, do not overlap, and end within the file. */
function checked(map: SparseMap): SparseMap {
  let end = 0;
  for (const { from, length } of map.pieces) {
    if (from < end || length < 0) throw new Broken('the map of a sparse file is not in order');
    end = from + length;
  }
  if (end > map.size || map.size < 0) throw new Broken('the map of a sparse file leads behind its end');
  return map;
}

const ZEROS = new Uint8Array(64 * 1024);

/** The whole file: pieces from the archive, holes as zeros. */
export async function* filled(
  { size, pieces }: SparseMap,
  source: Pick<ByteSource, 'pass'>,
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for (const { from, length } of pieces) {
    yield* zeros(from - at);
    yield* source.pass(length);
    at = from + length;
  }
  yield* zeros(size - at);
}

function* zeros(length: number): Generator<Uint8Array, void> {
  for (let left = length; left > 0; left -= ZEROS.length) yield left >= ZEROS.length ? ZEROS : ZEROS.subarray(0, left);
}
