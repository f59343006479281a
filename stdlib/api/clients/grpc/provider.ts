import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { ChannelCredentials, Metadata } from '@grpc/grpc-js';

import type { PortContext, Ports, Provider } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

import { descriptorCodec, rawCodec } from './codec.ts';
import type { Codec } from './codec.ts';
import { grpcPackage } from './grpc-package.ts';
import type { GrpcCall, GrpcOutcome } from './port.ts';

export const provider: Provider<'grpc'> = {
  open: async (context) => {
    const [files, outbound] = [await context.port('files'), await context.port('outbound')];
    return {
      call: async (call) => {
        const grpc = await grpcPackage();
        const codec =
          call.descriptors === undefined
            ? rawCodec
            : await descriptorCodec(
                call.descriptors,
                resolve(context.folders.cwd, call.descriptors),
                call.method,
                files,
              );
        const target = await targetOf(call, outbound);
        const credentials = call.tls
          ? grpc.credentials.createSsl(await authorities(call, context))
          : grpc.credentials.createInsecure();
        return await send(grpc, call, { codec, target, credentials });
      },
    };
  },
};

/** Bytes of all answers of one call: a server may send without an end. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Prepared {
  readonly codec: Codec;
  /** Address in the form of grpc-js. */
  readonly target: string;
  readonly credentials: ChannelCredentials;
}

/**
 * Address of the call. Where the host keeps runs out of private networks, the name is looked up and checked
 * here, and the call goes to the checked address.
 */
async function targetOf({ target, signal }: GrpcCall, outbound: Ports['outbound']): Promise<string> {
  if (!outbound.isStrict) return `dns:${target}`;
  const { hostname, port } = new URL(`http://${target}`);
  const [address = ''] = await outbound.checkHost(hostname.replace(/^\[|\]$/g, ''), { signal });
  return address.includes(':') ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;
}

async function authorities({ authorities: path }: GrpcCall, { folders }: PortContext): Promise<Buffer | null> {
  return path === undefined ? null : await readFile(resolve(folders.cwd, path));
}

/** Sends a call. On the wire a single message is a stream of one: one kind of call serves all four. */
async function send(
  grpc: typeof import('@grpc/grpc-js'),
  call: GrpcCall,
  { codec, target, credentials }: Prepared,
): Promise<GrpcOutcome> {
  const requests = call.messages.map((message) => codec.encode(message));
  const client = new grpc.Client(target, credentials, {
    'grpc.enable_http_proxy': 0,
    'grpc.default_authority': call.target,
    // A port where nobody listens is told at once, not when the deadline is over.
    'grpc.enable_retries': 0,
    'grpc.max_receive_message_length': MOST_BYTES,
  });
  try {
    const metadata = new grpc.Metadata();
    for (const [name, value] of Object.entries(call.metadata))
      metadata.set(name, name.toLowerCase().endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    const same = (bytes: Buffer): Buffer => bytes;
    const stream = client.makeBidiStreamRequest<Buffer, Buffer>(call.method, same, same, metadata, {
      deadline: Date.now() + call.deadline_ms,
    });
    const abort = (): void => stream.cancel();
    call.signal.addEventListener('abort', abort, { once: true });
    try {
      const replies: Buffer[] = [];
      let head: Metadata | undefined;
      const ended = new Promise<{ readonly code: number; readonly details: string; readonly metadata: Metadata }>(
        (done) => stream.on('status', done),
      );
      stream.on('metadata', (given: Metadata) => (head = given));
      let size = 0;
      stream.on('data', (bytes: Buffer) => {
        size += bytes.length;
        if (size > MOST_BYTES) stream.cancel();
        else replies.push(bytes);
      });
      // The status says the same.
      stream.on('error', () => undefined);
      for (const request of requests) stream.write(request);
      stream.end();
      const { code, details, metadata: trailers } = await ended;
      call.signal.throwIfAborted();
      const isTooMuch = size > MOST_BYTES;
      return {
        code: isTooMuch ? 'RESOURCE_EXHAUSTED' : (grpc.status[code] ?? String(code)),
        details: isTooMuch ? `the answers are larger than ${MOST_BYTES} bytes` : details,
        messages: replies.map((bytes): Json => codec.decode(bytes)),
        metadata: head ? shown(head) : {},
        trailers: shown(trailers),
      };
    } finally {
      call.signal.removeEventListener('abort', abort);
    }
  } finally {
    client.close();
  }
}

function shown(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    Object.keys(metadata.getMap()).map((name) => [
      name,
      metadata
        .get(name)
        .map((value) => (typeof value === 'string' ? value : Buffer.from(value).toString('base64')))
        .join(', '),
    ]),
  );
}
