/** Request of a SOCKS 5 client (RFC 1928): a connection to a port of a host, which is a name or an address. */
export interface SocksRequest {
  readonly host: string;
  readonly port: number;
}

/** `incomplete`: read on. `refused`: anything but a connection, or no request at all. */
export type Read<Thing> = { readonly value: Thing; readonly length: number } | 'incomplete' | 'refused';

const version = 5;
const noLogin = 0;
const connect = 1;

/** Whether the client can do without a login. */
export function readGreeting(bytes: Buffer): Read<true> {
  const [given, count = 0] = bytes;
  if (given !== undefined && given !== version) return 'refused';
  if (bytes.length < 2 || bytes.length < 2 + count) return 'incomplete';
  return bytes.subarray(2, 2 + count).includes(noLogin) ? { value: true, length: 2 + count } : 'refused';
}

export function readRequest(bytes: Buffer): Read<SocksRequest> {
  const [given, command, , kind, first = 0] = bytes;
  if (bytes.length < 5) return 'incomplete';
  if (given !== version || command !== connect) return 'refused';
  const [start, end] = kind === 1 ? [4, 8] : kind === 4 ? [4, 20] : [5, 5 + first];
  if (kind !== 1 && kind !== 3 && kind !== 4) return 'refused';
  if (bytes.length < end + 2) return 'incomplete';
  const part = bytes.subarray(start, end);
  const host = kind === 1 ? part.join('.') : kind === 3 ? part.toString('latin1') : groups(part);
  return { value: { host, port: bytes.readUInt16BE(end) }, length: end + 2 };
}

/** The answer to a request: nothing of it but the code says anything to a client that asked for a connection. */
export function answer(code: number): Buffer {
  return Buffer.from([version, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** The answer to a greeting. */
export function welcome(accepted: boolean): Buffer {
  return Buffer.from([version, accepted ? noLogin : 0xff]);
}

function groups(part: Buffer): string {
  return Array.from({ length: 8 }, (_, at) => part.readUInt16BE(at * 2).toString(16)).join(':');
}
