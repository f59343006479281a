/** Part of the library's protocol object that sends; it is no part of its interface. */
interface Sending {
  channelData(channel: number, data: Uint8Array): void;
  channelClose(channel: number): void;
}

/** Most bytes (8 KiB) of a joined packet: far less than what every server takes. */
const JOINED = 8 * 1024;

/**
 * Makes one packet of all questions of one turn, where the library is as it is known: each packet is encrypted and
 * decrypted on its own, and a server answers those of one packet in one.
 */
export function joinPackets(client: object): void {
  const protocol: unknown = '_protocol' in client ? client._protocol : undefined;
  if (!isSending(protocol)) return;
  const [send, close] = [protocol.channelData.bind(protocol), protocol.channelClose.bind(protocol)];
  let held: Uint8Array[] = [];
  let [size, to] = [0, 0];
  const flush = (): void => {
    const [first] = held;
    if (!first) return;
    const packet = held.length === 1 ? first : Buffer.concat(held);
    [held, size] = [[], 0];
    send(to, packet);
  };
  protocol.channelData = (channel, data) => {
    if (channel !== to || size + data.length > JOINED) flush();
    if (data.length > JOINED) return send(channel, data);
    if (held.length === 0) process.nextTick(flush);
    held.push(data);
    [size, to] = [size + data.length, channel];
  };
  protocol.channelClose = (channel) => {
    flush();
    close(channel);
  };
}

function isSending(value: unknown): value is Sending {
  if (typeof value !== 'object' || value === null) return false;
  return ['channelData', 'channelClose'].every((name) => typeof Reflect.get(value, name) === 'function');
}
