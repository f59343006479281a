/** Text of a stream of bytes; a byte-order mark is left out, and bytes that do not fit the encoding are an error. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<string> {
  const decoder = open(encoding);
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (cause instanceof TypeError) throw new Error(`its bytes are not ${encoding}.`, { cause });
    throw cause;
  }
}

function open(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new Error(`there is no encoding "${encoding}".`, { cause });
  }
}

/** Lines without their ends. */
export async function* lines(text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of text) {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) yield piece.endsWith('\r') ? piece.slice(0, -1) : piece;
  }
  if (rest !== '') yield rest;
}
