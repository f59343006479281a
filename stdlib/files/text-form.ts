import { plainName } from '#grammar/encoding/reading.ts';
import type { Files } from '#schemas/types/host.ts';

import { type Encoder } from './text-encoding.ts';

/**
 * Form in which a file stores its text: the mark that it begins with, and the encoding with the order of bytes
 * that it tells.
 */
export interface TextForm {
  readonly mark: Uint8Array;
  readonly encoding: string;
}

const forms: readonly { readonly mark: readonly number[]; readonly encoding: string; readonly fits: RegExp }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8', fits: /^utf8/ },
  { mark: [0xff, 0xfe, 0, 0], encoding: 'utf-32-le', fits: /^utf32/ },
  { mark: [0, 0, 0xfe, 0xff], encoding: 'utf-32-be', fits: /^utf32/ },
  { mark: [0xff, 0xfe], encoding: 'utf-16-le', fits: /^utf16(le)?$/ },
  { mark: [0xfe, 0xff], encoding: 'utf-16-be', fits: /^utf16(be)?$/ },
];

/** Form of an existing file, to be kept when it is written again. */
export async function formOf(files: Files, path: string, encoding: string): Promise<TextForm> {
  const name = plainName(encoding);
  const file = await files.open(path);
  try {
    const start = await file.readAt(0, 4);
    const found = forms.find(({ fits, mark }) => fits.test(name) && mark.every((byte, index) => start[index] === byte));
    return { mark: Uint8Array.from(found?.mark ?? []), encoding: found?.encoding ?? encoding };
  } finally {
    await file.close();
  }
}

/** A text in pieces as the bytes of a file that begins with a mark. */
export async function* storedText(
  text: AsyncIterable<string>,
  { encode }: Encoder,
  mark: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  if (mark.length > 0) yield mark;
  for await (const piece of text) yield encode(piece);
}
