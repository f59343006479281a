import { decodeWhole } from '#grammar/encoding/decode-whole.ts';

/** Text of a body and the encoding that it was read with; null: the bytes are no text. */
export interface BodyText {
  readonly text: string;
  readonly encoding: string | null;
}

const textual =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml|x-www-form-urlencoded|graphql|xhtml\+xml|soap\+xml)|image\/svg\+xml|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml))/;

/** Media type in lower case, without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJson(contentType: string | undefined): boolean {
  return /^(?:application\/json|text\/json|[\w.-]+\/[\w.-]+\+json)$/.test(mediaTypeOf(contentType));
}

/**
 * Reads bytes as the charset of the content type says, else as UTF-8. A body that claims to be text is read in
 * any case, bad bytes as replacement characters; anything else only where it is UTF-8 without NUL.
 */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined): BodyText {
  if (bytes.length === 0) return { text: '', encoding: null };
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const decoder = decoderFor(charset);
  if (charset !== undefined || textual.test(mediaTypeOf(contentType)))
    return {
      text: decoder === usual ? decoder.decode(bytes) : decodeWhole(decoder, bytes),
      encoding: decoder.encoding,
    };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? { text: '', encoding: null } : { text, encoding: 'utf-8' };
  } catch {
    return { text: '', encoding: null };
  }
}

let usual: InstanceType<typeof TextDecoder> | undefined;

function decoderFor(charset = 'utf-8'): InstanceType<typeof TextDecoder> {
  // Making one takes longer than reading a small body with it.
  if (charset.toLowerCase() === 'utf-8') return (usual ??= new TextDecoder());
  try {
    return new TextDecoder(charset);
  } catch {
    return (usual ??= new TextDecoder());
  }
}
