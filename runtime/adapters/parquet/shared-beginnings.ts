import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readVarInt } from 'hyparquet/src/thrift.js';

/**
 * Number of bytes that the values of a DELTA_BYTE_ARRAY page have once each is written out: a value says only
 * how much of its beginning it shares with the one before, so that a few bytes may stand for very many. `most`
 * is the largest possible number of values.
 */
export function writtenOut(view: DataView, at: number, most: number): number {
  const reader = { view, offset: at };
  let bytes = 0;
  // The lengths of the beginnings that are shared, then those of what follows.
  for (let list = 0; list < 2; list += 1) {
    const count = Math.min(countAt(view, reader.offset), most);
    if (count === 0) return bytes;
    const lengths = new Int32Array(count);
    deltaBinaryUnpack(reader, count, lengths);
    for (const length of lengths) bytes += length;
  }
  return bytes;
}

/** The third number of a list: how many values it has. */
function countAt(view: DataView, at: number): number {
  const reader = { view, offset: at };
  readVarInt(reader);
  readVarInt(reader);
  return readVarInt(reader);
}
