import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { operationsOf } from './operations.ts';
import type { Media, Operation } from './operations.ts';
import { resolved } from './reference.ts';
import { canonical, isSame } from './schema-findings.ts';

/** One difference between two documents, as callers feel it. */
export interface Change {
  /** `VERB /template`. */
  readonly operation: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Place in the operation: `query parameter "page"`, `response 200 $.items[].id`; empty: the operation itself. */
  readonly place: string;
  /** One sentence. */
  readonly what: string;
  /** Whether callers that were right before can be wrong now. */
  readonly breaking: boolean;
}

/** All differences of two documents, by operation in sorted order. */
export function compareDocuments(left: JsonObject, right: JsonObject): readonly Change[] {
  const [before, after] = [byKey(left), byKey(right)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return keys.flatMap((key): readonly Change[] => {
    const [old, now] = [before.get(key), after.get(key)];
    if (!old) return [{ operation: key, kind: 'added', place: '', what: 'the operation is new', breaking: false }];
    if (!now) return [{ operation: key, kind: 'removed', place: '', what: 'the operation is gone', breaking: true }];
    return new Comparison(key, left, right).operations(old, now);
  });
}

/** Operations by verb and path, whatever the parameters of the path are called. */
function byKey(document: JsonObject): ReadonlyMap<string, Operation> {
  return new Map(operationsOf(document).map((operation) => [operation.key, operation]));
}

type Direction = 'request' | 'response';
const DEEPEST = 24;

class Comparison {
  readonly #operation: string;
  readonly #left: JsonObject;
  readonly #right: JsonObject;
  readonly #changes: Change[] = [];

  constructor(operation: string, left: JsonObject, right: JsonObject) {
    this.#operation = operation;
    this.#left = left;
    this.#right = right;
  }

  operations(old: Operation, now: Operation): readonly Change[] {
    this.#parameters(old, now);
    this.#body(old, now);
    this.#answers(old, now);
    return this.#changes;
  }

  #add(kind: Change['kind'], place: string, what: string, breaking: boolean): void {
    this.#changes.push({ operation: this.#operation, kind, place, what, breaking });
  }

  #parameters(old: Operation, now: Operation): void {
    const name = ({ in: place, name: own }: Operation['parameters'][number]): string => `${place} parameter "${own}"`;
    const [before, after] = [old, now].map(({ parameters }) => new Map(parameters.map((one) => [name(one), one])));
    for (const [place, one] of before ?? []) {
      const other = after?.get(place);
      if (!other) {
        this.#add('removed', place, 'is no longer declared', true);
        continue;
      }
      if (!one.required && other.required) this.#add('changed', place, 'has become required', true);
      if (one.required && !other.required) this.#add('changed', place, 'is no longer required', false);
      this.#schemas(one.schema, other.schema, place, 'request');
    }
    for (const [place, one] of after ?? [])
      if (!before?.has(place)) this.#add('added', place, one.required ? 'is new and required' : 'is new', one.required);
  }

  #body({ body: old }: Operation, { body: now }: Operation): void {
    if (!old && !now) return;
    if (!old)
      this.#add('added', 'request body', now?.required ? 'is new and required' : 'is new', now?.required === true);
    else if (!now) this.#add('removed', 'request body', 'is no longer declared', true);
    else {
      if (!old.required && now.required) this.#add('changed', 'request body', 'has become required', true);
      if (old.required && !now.required) this.#add('changed', 'request body', 'is no longer required', false);
      this.#media(old.media, now.media, 'request body', 'request');
    }
  }

  #answers({ responses: old }: Operation, { responses: now }: Operation): void {
    for (const [status, answer] of old) {
      const other = now.get(status);
      if (other) this.#media(answer.media, other.media, `response ${status}`, 'response');
      else
        this.#add(
          'removed',
          `response ${status}`,
          'is no longer declared',
          status.startsWith('2') || status === 'default',
        );
    }
    for (const status of now.keys()) if (!old.has(status)) this.#add('added', `response ${status}`, 'is new', false);
  }

  #media(old: readonly Media[], now: readonly Media[], place: string, direction: Direction): void {
    for (const { type, schema } of old) {
      const other = now.find((one) => one.type === type);
      if (!other) this.#add('removed', place, `media type ${type} is gone`, true);
      else this.#schemas(schema, other.schema, place, direction);
    }
    for (const { type } of now)
      if (!old.some((one) => one.type === type)) this.#add('added', place, `media type ${type} is new`, false);
  }

  #schemas(old: Json | undefined, now: Json | undefined, place: string, direction: Direction): void {
    this.#schema(old ?? {}, now ?? {}, { place, path: '$', direction, depth: 0 });
  }

  #schema(given: Json, other: Json, at: SchemaPlace): void {
    const [old, now] = [resolved(given, this.#left), resolved(other, this.#right)];
    if (at.depth > DEEPEST || !isObject(old) || !isObject(now) || canonical(old) === canonical(now)) {
      // Equal texts may still refer to parts that differ.
      if (!isObject(old) || !isObject(now) || at.depth > DEEPEST || !canonical(old).includes('"$ref"')) return;
    }
    if (!isObject(old) || !isObject(now)) return;
    this.#types(old, now, at);
    this.#values(old, now, at);
    this.#limits(old, now, at);
    this.#properties(old, now, at);
    if (old['items'] !== undefined && now['items'] !== undefined)
      this.#schema(old['items'], now['items'], { ...at, path: `${at.path}[]`, depth: at.depth + 1 });
    for (const key of ['allOf', 'anyOf', 'oneOf']) this.#parts(old[key], now[key], key, at);
  }

  #types(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [typesOf(old), typesOf(now)];
    if (isSame(before, after)) return;
    const takes = (wide: readonly string[], narrow: readonly string[]): boolean =>
      wide.length === 0 ||
      (narrow.length > 0 &&
        narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number'))));
    const breaking = at.direction === 'request' ? !takes(after, before) : !takes(before, after);
    const name = (types: readonly string[]): string => types.join(' or ') || 'anything';
    this.#at(at, 'changed', `type ${name(before)} has become ${name(after)}`, breaking);
  }

  #values(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [old['enum'], now['enum']].map((list) =>
      Array.isArray(list) ? (list as readonly Json[]) : undefined,
    );
    if (!before && !after) return;
    if (!before || !after) {
      const breaking = (at.direction === 'request') === (after !== undefined);
      this.#at(
        at,
        'changed',
        after ? 'takes only a list of values now' : 'takes other values than those listed before now',
        breaking,
      );
      return;
    }
    const gone = before.filter((one) => !after.some((value) => isSame(value, one)));
    const come = after.filter((one) => !before.some((value) => isSame(value, one)));
    if (gone.length > 0) this.#at(at, 'removed', `values ${JSON.stringify(gone)} are gone`, at.direction === 'request');
    if (come.length > 0) this.#at(at, 'added', `values ${JSON.stringify(come)} are new`, false);
  }

  #limits(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    for (const key of ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format']) {
      const [before, after] = [old[key], now[key]];
      if (before === after || isSame(before ?? null, after ?? null)) continue;
      const isNarrower =
        before === undefined ||
        (after !== undefined &&
          (typeof before !== 'number' ||
            typeof after !== 'number' ||
            (key.startsWith('min') ? after > before : after < before)));
      const breaking = at.direction === 'request' && isNarrower && key !== 'format';
      this.#at(
        at,
        'changed',
        `${key} ${JSON.stringify(before ?? null)} has become ${JSON.stringify(after ?? null)}`,
        breaking,
      );
    }
  }

  #properties(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [old['properties'], now['properties']].map((value) =>
      isObject(value ?? null) ? (value as JsonObject) : {},
    );
    const required = (schema: JsonObject, name: string): boolean =>
      Array.isArray(schema['required']) && (schema['required'] as readonly Json[]).includes(name);
    const isRequest = at.direction === 'request';
    for (const [name, schema] of Object.entries(before ?? {})) {
      const place = { ...at, path: `${at.path}.${name}`, depth: at.depth + 1 };
      if (!Object.hasOwn(after ?? {}, name)) {
        this.#at(place, 'removed', 'is gone', isRequest ? now['additionalProperties'] === false : true);
        continue;
      }
      const [was, is] = [required(old, name), required(now, name)];
      if (was !== is)
        this.#at(place, 'changed', is ? 'has become required' : 'is no longer required', is === isRequest);
      this.#schema(schema, after?.[name] ?? {}, place);
    }
    for (const name of Object.keys(after ?? {}))
      if (!Object.hasOwn(before ?? {}, name)) {
        const isRequired = required(now, name);
        this.#at(
          { ...at, path: `${at.path}.${name}` },
          'added',
          isRequired ? 'is new and required' : 'is new',
          isRequest && isRequired,
        );
      }
  }

  /** Parts are compared by their place in the list; a list that has another length has changed as a whole. */
  #parts(old: Json | undefined, now: Json | undefined, key: string, at: SchemaPlace): void {
    const [before, after] = [old, now].map((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
    if (!before || !after || (before.length === 0 && after.length === 0)) return;
    if (before.length !== after.length) {
      const isMore = after.length > before.length;
      const narrows = key === 'allOf' ? isMore : !isMore;
      this.#at(
        at,
        'changed',
        `${key} has ${after.length} parts instead of ${before.length}`,
        (at.direction === 'request') === narrows,
      );
      return;
    }
    for (const [index, part] of before.entries())
      this.#schema(part, after[index] ?? {}, { ...at, depth: at.depth + 1 });
  }

  #at({ place, path }: SchemaPlace, kind: Change['kind'], what: string, breaking: boolean): void {
    this.#add(kind, path === '$' ? place : `${place} ${path}`, what, breaking);
  }
}

interface SchemaPlace {
  readonly place: string;
  readonly path: string;
  readonly direction: Direction;
  readonly depth: number;
}

/** Sorted; `nullable` counts as a type. Empty: any. */
function typesOf({ type, nullable }: JsonObject): string[] {
  const types = Array.isArray(type) ? (type as readonly Json[]) : type === undefined ? [] : [type];
  const names = types.filter((name) => typeof name === 'string');
  return [...new Set([...names, ...(nullable === true && names.length > 0 ? ['null'] : [])])].toSorted();
}
