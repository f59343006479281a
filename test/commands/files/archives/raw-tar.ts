export interface RawTarMember {
  readonly name: string;
  /** `0` a file, `5` a folder, `1` a hard link, `2` a symbolic link. */
  readonly type?: string;
  readonly target?: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
  /** Another size than that of the content. */
  readonly size?: number;
  readonly prefix?: string;
  readonly magic?: string;
  /** Changes the finished header before its sum is made. */
  readonly edit?: (header: Buffer) => void;
}

/** An archive byte by byte, as a tool that checks nothing would make it. */
export function rawTar(members: readonly RawTarMember[], { end = true }: { readonly end?: boolean } = {}): Buffer {
  const blocks = members.flatMap((member) => {
    const content = Buffer.from(member.content ?? '');
    return [headerOf(member, member.size ?? content.length), content, Buffer.alloc(-content.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end ? 1024 : 0)]);
}

/** The member that holds records about the next one. */
export function paxOf(
  records: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  type = 'x',
): RawTarMember {
  const list = Array.isArray(records) ? (records as readonly (readonly [string, string])[]) : Object.entries(records);
  return { name: 'pax', type, content: list.map(([key, value]) => record(key, value)).join('') };
}

function record(key: string, value: string): string {
  const length = Buffer.byteLength(` ${key}=${value}\n`);
  let digits = String(length).length;
  while (String(length + digits).length !== digits) digits += 1;
  return `${length + digits} ${key}=${value}\n`;
}

function headerOf(
  { name, type = '0', target = '', mode = 0o644, prefix = '', magic = 'ustar\x0000', edit }: RawTarMember,
  size: number,
): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, 'latin1');
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(1_600_000_000, 11), 136);
  header.write(type, 156, 'latin1');
  header.write(target, 157, 100, 'latin1');
  header.write(magic, 257, 'latin1');
  header.write(prefix, 345, 155, 'latin1');
  edit?.(header);
  header.fill(32, 148, 156);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
