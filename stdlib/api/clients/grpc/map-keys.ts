import type { MethodDefinition, PackageDefinition } from '@grpc/proto-loader';

import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

/** Description of a message, as far as maps need it. */
interface MessageShape {
  readonly name: string;
  readonly field: readonly { readonly name: string; readonly type: string; readonly typeName: string }[];
  readonly nestedType: readonly MessageShape[];
  readonly options?: { readonly mapEntry?: boolean } | null;
}

interface Placed {
  readonly shape: MessageShape;
  /** Full name of the message. */
  readonly scope: string;
}

type Messages = ReadonlyMap<string, Placed>;

/** All messages of a package by full name, those inside of others too. */
export function messagesOf(definitions: PackageDefinition): Messages {
  const found = new Map<string, Placed>();
  const add = (scope: string, shape: MessageShape): void => {
    found.set(scope, { shape, scope });
    for (const inner of shape.nestedType) add(`${scope}.${inner.name}`, inner);
  };
  for (const [name, one] of Object.entries(definitions))
    if ('format' in one && one.format === 'Protocol Buffer 3 DescriptorProto')
      add(name, one.type as unknown as MessageShape);
  return found;
}

/** Type of a request or an answer, which comes without its full name; undefined: it is not among the messages. */
export function placeOf(
  { type }: MethodDefinition<object, object>['requestType'],
  messages: Messages,
): Placed | undefined {
  const text = JSON.stringify(type);
  return [...messages.values()].find(({ shape }) => JSON.stringify(shape) === text);
}

/** A message whose maps have keys as they are written: the package leaves those of 64 bits as eight bytes. */
export function withMapKeys(message: Json, placed: Placed | undefined, messages: Messages): Json {
  if (!placed || !isObject(message)) return message;
  const read = { ...message };
  for (const { name, type, typeName } of placed.shape.field) {
    const value = read[name];
    if (type !== 'TYPE_MESSAGE' || value === undefined || value === null) continue;
    const inner = find(typeName, placed.scope, messages);
    if (Array.isArray(value)) read[name] = (value as readonly Json[]).map((one) => withMapKeys(one, inner, messages));
    else if (inner?.shape.options?.mapEntry !== true) read[name] = withMapKeys(value, inner, messages);
    else if (isObject(value)) read[name] = mapOf(value, inner, messages);
  }
  return read;
}

function mapOf(value: Readonly<Record<string, Json>>, entry: Placed, messages: Messages): Json {
  const typeOf = (name: string): MessageShape['field'][number] | undefined =>
    entry.shape.field.find((field) => field.name === name);
  const [keyType, valueType] = [typeOf('key')?.type ?? '', typeOf('value')];
  const inner = valueType?.type === 'TYPE_MESSAGE' ? find(valueType.typeName, entry.scope, messages) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [keyText(key, keyType), withMapKeys(one, inner, messages)]),
  );
}

function keyText(key: string, type: string): string {
  if (!type.endsWith('64')) return key;
  const bytes = Buffer.from(key, 'latin1');
  return String(type === 'TYPE_UINT64' || type === 'TYPE_FIXED64' ? bytes.readBigUInt64LE() : bytes.readBigInt64LE());
}

/** A message by its name as seen from a scope: the nearest one. */
function find(typeName: string, scope: string, messages: Messages): Placed | undefined {
  for (let around = scope; around !== ''; around = around.replace(/\.?[^.]+$/, '')) {
    const found = messages.get(`${around}.${typeName}`);
    if (found) return found;
  }
  return messages.get(typeName.replace(/^\./, ''));
}
