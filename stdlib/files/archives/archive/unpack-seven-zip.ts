import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Member, Placed } from '../member.ts';
import { unpackKnown, type UnpackRequest } from '../unpack.ts';

type Tools = Base & Pick<Ports, 'sevenZip' | 'archiveRules' | 'files'>;

/** Unpacks a 7z or RAR archive, whose content comes in one stream: the list says where one member ends. */
export async function unpackSevenZip(
  tools: Tools,
  format: '7z' | 'rar',
  request: UnpackRequest,
): Promise<readonly Placed[]> {
  const { archive: path } = request;
  const options = { format, command: tools.step.command, signal: tools.signal };
  const listed = await tools.sevenZip.list(path, options);
  const broken = (): Error => fail.archiveBroken({ path, format });
  const content = new Pieces(() => tools.sevenZip.contents(path, options), broken);
  const members = listed.map((member): Member => ({
    ...member,
    separators: '/',
    content: () => content.take(member.size),
  }));
  try {
    return await unpackKnown(tools, request, { members, inOrder: true, finish: () => content.end() });
  } finally {
    await content.close();
  }
}

/** A stream that is begun when its first byte is asked for, in pieces of known length. */
class Pieces {
  readonly #begin: () => AsyncIterable<Uint8Array>;
  readonly #broken: () => Error;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #rest: Uint8Array = new Uint8Array();

  constructor(begin: () => AsyncIterable<Uint8Array>, broken: () => Error) {
    this.#begin = begin;
    this.#broken = broken;
  }

  async *take(length: number): AsyncGenerator<Uint8Array, void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#fill())) throw this.#broken();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Fails unless the stream ends here, and as its reader wants it. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#fill())) throw this.#broken();
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
  }

  async #fill(): Promise<boolean> {
    this.#chunks ??= this.#begin()[Symbol.asyncIterator]();
    const { done, value } = await this.#chunks.next();
    if (done !== true) this.#rest = value;
    return done !== true;
  }
}
