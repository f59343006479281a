import { bytesOfName, hasRawBytes } from '#schemas/types/file-name.ts';

import { BLOCK } from './header.ts';
import { numberAt } from './numbers.ts';
import type { TarSource } from './port.ts';

type MakePacker = typeof import('modern-tar').createTarPacker;
type TarHeader = Parameters<ReturnType<MakePacker>['controller']['add']>[0];

const NAME_FIELD = 100;

/** Blocks in front of a member's content: its header, before it a record of what the header has no room for. */
export async function* writeHeader(makePacker: MakePacker, source: TarSource): AsyncGenerator<Uint8Array, void> {
  const { name, kind, target } = source;
  // Records of extended headers are UTF-8; names of other bytes go where GNU tar keeps long names.
  if (target !== undefined && hasRawBytes(target)) yield* rawName(makePacker, 'gnu-long-link-name', target);
  if (hasRawBytes(name)) yield* rawName(makePacker, 'gnu-long-name', kind === 'folder' ? `${name}/` : name);
  yield await encoded(makePacker, headerOf(source));
}

/** The package writes whole archives; of each the beginning is taken, and the rest is never asked for. */
async function encoded(makePacker: MakePacker, header: TarHeader): Promise<Uint8Array> {
  const { readable, controller } = makePacker();
  controller.add(header);
  const reader = readable.getReader();
  const blocks: Uint8Array[] = [];
  let size = 0;
  let wanted = BLOCK;
  while (size < wanted) {
    const { value } = await reader.read();
    if (value === undefined) break;
    // A record goes before the header, and says how long it is.
    if (size === 0 && value[156] === 'x'.charCodeAt(0))
      wanted += BLOCK + Math.ceil(numberAt(value, 124, 12) / BLOCK) * BLOCK;
    blocks.push(value);
    size += value.length;
  }
  return blocks.length === 1 && blocks[0] !== undefined ? blocks[0] : Buffer.concat(blocks);
}

function headerOf({ name, kind, size, mode, modifiedMs, target }: TarSource): TarHeader {
  const type = kind === 'folder' ? 'directory' : kind === 'hard-link' ? 'link' : kind;
  const seconds = modifiedMs / 1000;
  const isPlain = Number.isInteger(seconds) && seconds >= 0 && seconds < 8 ** 11;
  const stored = kind === 'folder' ? `${name}/` : name;
  return {
    name: hasRawBytes(stored) ? readable(stored) : stored,
    type,
    size: kind === 'file' ? size : 0,
    mode: mode & 0o7777,
    mtime: new Date(isPlain ? modifiedMs : Math.max(0, Math.floor(seconds) * 1000)),
    ...(target !== undefined && { linkname: hasRawBytes(target) ? readable(target) : target }),
    ...(!isPlain && { pax: { mtime: seconds.toFixed(6).replace(/\.?0+$/, '') } }),
  };
}

/** Name to write in the header where only the member's own record holds the exact one. */
function readable(name: string): string {
  const plain = name.replaceAll(/[^ -~]/g, '_');
  return plain.length <= NAME_FIELD ? plain : `${plain.slice(0, NAME_FIELD - 1)}${plain.endsWith('/') ? '/' : '_'}`;
}

async function* rawName(
  makePacker: MakePacker,
  type: 'gnu-long-name' | 'gnu-long-link-name',
  text: string,
): AsyncGenerator<Uint8Array, void> {
  const bytes = Uint8Array.from([...bytesOfName(text), 0]);
  yield await encoded(makePacker, { name: '././@LongLink', type, size: bytes.length, mode: 0o644, mtime: new Date(0) });
  const padded = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  padded.set(bytes);
  yield padded;
}
