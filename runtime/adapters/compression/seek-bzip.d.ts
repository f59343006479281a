/** The parts of the package in use; it has no types of its own. */
declare module 'seek-bzip' {
  interface Input {
    readByte(): number;
    /** Reads as much as is asked for. */
    read(buffer: Uint8Array, offset: number, length: number): number;
  }
  interface Output {
    writeByte(byte: number): void;
  }
  class Bunzip {
    constructor(input: Input, output: Output);
    readonly reader: { read(bits: number): number };
    readonly streamCRC: number;
    /** Reads the next block; false behind the last one. */
    _init_block(): boolean;
    /** Writes the block that was read, and checks its sum. */
    _read_bunzip(): number;
  }
  export default Bunzip;
}
