import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import type { AnyDefinition, MethodDefinition, PackageDefinition } from '@grpc/proto-loader';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import { lostInMessage } from './lost-in-message.ts';
import { messagesOf, placeOf, withMapKeys } from './map-keys.ts';

/** Codec from values to the bytes of messages and back. */
export interface Codec {
  encode(message: Json): Buffer;
  decode(bytes: Uint8Array): Json;
}

/** Text is UTF-8, any other value compact JSON; bytes that are no text come back as `data:;base64,…`. */
export const rawCodec: Codec = {
  encode: (message) => Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
  decode: (bytes) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return `data:;base64,${Buffer.from(bytes).toString('base64')}`;
    }
  },
};

const PACKAGE = { package: '@grpc/proto-loader', version: '0.8.1' };

/** The codec of a method by a `.proto` file or a descriptor set. */
export async function descriptorCodec(path: string, place: string, method: string, files: Files): Promise<Codec> {
  const wrong = (reason: string, cause?: unknown): Error => fail.grpcDescriptors({ path, method, reason, cause });
  const definitions = await load(path, place, files, wrong);
  const definition = methodOf(definitions, method, wrong);
  const messages = messagesOf(definitions);
  const [request, response] = [placeOf(definition.requestType, messages), placeOf(definition.responseType, messages)];
  const readable = (message: object, type: typeof request): Json =>
    spelledOut(withMapKeys(message as Json, type, messages));
  return {
    encode: (message) => {
      const bytes = serialized(message, definition, wrong);
      const sent = readable(definition.requestDeserialize(bytes), request);
      const mistake = lostInMessage(message, sent);
      if (mistake !== undefined) throw wrong(mistake);
      return bytes;
    },
    decode: (bytes) => {
      try {
        return readable(definition.responseDeserialize(Buffer.from(bytes)), response);
      } catch (cause) {
        throw wrong(`an answer is not of its type: ${String(cause)}`, cause);
      }
    },
  };
}

/** A message with numbers that JSON does not have as text: `NaN`, `Infinity`, `-Infinity`. */
function spelledOut(message: Json): Json {
  if (typeof message === 'number') return Number.isFinite(message) ? message : String(message);
  if (Array.isArray(message)) return (message as readonly Json[]).map(spelledOut);
  if (!isObject(message)) return message;
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, spelledOut(value)]));
}

async function load(
  path: string,
  place: string,
  files: Files,
  wrong: (reason: string, cause?: unknown) => Error,
): Promise<PackageDefinition> {
  try {
    createRequire(import.meta.url).resolve(PACKAGE.package);
  } catch (cause) {
    throw fail.grpcMissing({ ...PACKAGE, cause });
  }
  const loader = await import('@grpc/proto-loader');
  const options = { keepCase: true, longs: String, enums: String, bytes: String, defaults: true, oneofs: true };
  if (!(await files.find(path))) throw wrong('there is no such file');
  try {
    if (path.endsWith('.proto'))
      return await loader.load(place, options).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        return await loader.load(place, { ...options, includeDirs: foldersAbove(place) }).catch(() => {
          throw error;
        });
      });
    return loader.loadFileDescriptorSetFromBuffer(Buffer.from(await files.read(path)), options);
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Folders that names in imports may begin at: those that hold the file, and the one of the types that everyone has. */
function foldersAbove(file: string): string[] {
  const common = createRequire(createRequire(import.meta.url).resolve(PACKAGE.package)).resolve(
    'protobufjs/package.json',
  );
  const folders = [dirname(common)];
  for (let at = dirname(file); folders.at(-1) !== at; at = dirname(at)) folders.push(at);
  return folders;
}

function methodOf(
  definitions: PackageDefinition,
  method: string,
  wrong: (reason: string) => Error,
): MethodDefinition<object, object> {
  const services = Object.values(definitions).filter((one: AnyDefinition) => !('format' in one));
  const methods = services.flatMap((service) => Object.values(service) as MethodDefinition<object, object>[]);
  const found = methods.find(({ path }) => path === method);
  if (found) return found;
  const known = methods.map(({ path }) => path).toSorted();
  throw wrong(`they have ${known.length === 0 ? 'no methods' : known.slice(0, 10).join(', ')}`);
}

function serialized(
  message: Json,
  { requestSerialize }: MethodDefinition<object, object>,
  wrong: (reason: string, cause: unknown) => Error,
): Buffer {
  try {
    return requestSerialize(message as object);
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause), cause);
  }
}
