import { crc32, deflateRawSync } from 'node:zlib';

export interface RawMember {
  readonly name: string;
  readonly content?: string;
  /** Unix mode with its file type; 0: the archive says nothing of Unix. */
  readonly mode?: number;
  /** 0 DOS, 3 Unix. */
  readonly system?: number;
  /** Length of zeros instead of the content. */
  readonly zeros?: number;
  /** 8: deflated. */
  readonly method?: number;
}

/** An archive byte by byte, as a tool that checks nothing would make it. */
export function rawZip(members: readonly RawMember[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = member.zeros === undefined ? Buffer.from(member.content ?? '') : Buffer.alloc(member.zeros);
    const name = Buffer.from(member.name);
    const packed = deflateRawSync(content);
    const facts = factsOf(member, content, packed.length, name.length);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, Buffer.alloc(2), name, packed]);
    const { system = 3, mode = 0o100644 } = member;
    const behind = Buffer.alloc(16);
    behind.writeUInt32LE((mode << 16) >>> 0, 8);
    behind.writeUInt32LE(offset, 12);
    centrals.push(Buffer.concat([Buffer.from('504b0102', 'hex'), Buffer.from([20, system]), facts, behind, name]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** From the version to the length of the name: the same in both headers. */
function factsOf({ method = 8 }: RawMember, content: Buffer, packedSize: number, nameLength: number): Buffer {
  const facts = Buffer.alloc(24);
  facts.writeUInt16LE(20, 0);
  // Names are UTF-8.
  facts.writeUInt16LE(0x800, 2);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt16LE(0x21, 8);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packedSize, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(nameLength, 22);
  return facts;
}

/** The same archive with a ZIP64 record that it would not need, as Info-ZIP writes it into a pipe. */
export function withZip64Record(archive: Buffer, { count }: { readonly count: number }): Buffer {
  const end = archive.subarray(-22);
  const [size, offset] = [BigInt(end.readUInt32LE(12)), BigInt(end.readUInt32LE(16))];
  const record = Buffer.alloc(56 + 20);
  record.write('504b0606', 'hex');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(size, 40);
  record.writeBigUInt64LE(offset, 48);
  record.write('504b0607', 56, 'hex');
  record.writeBigUInt64LE(offset + size, 64);
  record.writeUInt32LE(1, 72);
  return Buffer.concat([archive.subarray(0, -22), record, end]);
}
