const MORE_COMES = { stream: true };

/** Text of bytes, given in pieces: of a whole text older releases of Node read windows-1252 as Latin-1. */
export function decodeWhole(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  return decoder.decode(bytes, MORE_COMES) + decoder.decode();
}
