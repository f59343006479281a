import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { compareSchemas } from './compare-schemas.ts';
import type { Direction, Documents } from './compare-schemas.ts';
import { mediaFor } from './media-type.ts';
import { operationsOf, withoutNames } from './operations.ts';
import type { Answer, Media, Operation, Parameter } from './operations.ts';
import { resolvedObject } from './reference.ts';
import { isSame } from './schema-findings.ts';

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
    const operation = (old ?? now)?.key ?? key;
    if (!old) return [{ operation, kind: 'added', place: '', what: 'the operation is new', breaking: false }];
    if (!now) return [{ operation, kind: 'removed', place: '', what: 'the operation is gone', breaking: true }];
    return new Comparison(operation, left, right).operations(old, now);
  });
}

/** Operations by verb and path, whatever the parameters of the path are called. */
function byKey(document: JsonObject): ReadonlyMap<string, Operation> {
  return new Map(operationsOf(document).map((operation) => [withoutNames(operation.key), operation]));
}

/** Parameters by their place and name; those of the path by their place in it, those of headers in small letters. */
function byPlace({ parameters, path }: Operation): ReadonlyMap<string, Parameter> {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((one) => {
      const index = one.in === 'path' ? names.indexOf(one.name) : -1;
      const name = index >= 0 ? String(index) : one.in === 'header' ? one.name.toLowerCase() : one.name;
      return [`${one.in} ${name}`, one];
    }),
  );
}

function placeOf({ in: place, name }: Parameter): string {
  return `${place} parameter "${name}"`;
}

/** Each way to be let in as the schemes and scopes that it asks for, sorted; an empty one: nothing is asked for. */
function accessOf({ source }: Operation, document: JsonObject): readonly (readonly string[])[] {
  const ways = source['security'] ?? document['security'];
  if (!Array.isArray(ways) || ways.length === 0) return [[]];
  return (ways as readonly Json[]).map((way) =>
    Object.entries(isObject(way) ? way : {})
      .flatMap(([scheme, scopes]): readonly string[] => [
        scheme,
        ...(Array.isArray(scopes) ? (scopes as readonly Json[]).map((scope) => `${scheme}:${String(scope)}`) : []),
      ])
      .toSorted(),
  );
}

class Comparison {
  readonly #operation: string;
  readonly #documents: Documents;
  readonly #changes: Change[] = [];

  constructor(operation: string, left: JsonObject, right: JsonObject) {
    this.#operation = operation;
    this.#documents = { left, right };
  }

  operations(old: Operation, now: Operation): readonly Change[] {
    this.#access(old, now);
    this.#parameters(old, now);
    this.#body(old, now);
    this.#answers(old, now);
    if (now.source['deprecated'] === true && old.source['deprecated'] !== true)
      this.#add('changed', 'operation', 'is deprecated', false);
    return this.#changes;
  }

  #add(kind: Change['kind'], place: string, what: string, breaking: boolean): void {
    this.#changes.push({ operation: this.#operation, kind, place, what, breaking });
  }

  /** Ways to be let in, of which a caller needs one. */
  #access(old: Operation, now: Operation): void {
    const { left, right } = this.#documents;
    const [before, after] = [accessOf(old, left), accessOf(now, right)];
    // Whoever needs nothing has all that is asked for.
    const gone = before.filter((way) => !after.some((one) => one.every((scheme) => way.includes(scheme))));
    const come = after.filter((way) => !before.some((one) => isSame([...one], [...way])));
    for (const way of gone)
      this.#add('removed', 'security', way.length === 0 ? 'is needed now' : `${way.join(' and ')} is not enough`, true);
    for (const way of come)
      this.#add('added', 'security', way.length === 0 ? 'is not needed' : `${way.join(' and ')} is enough`, false);
  }

  #parameters(old: Operation, now: Operation): void {
    const [before, after] = [byPlace(old), byPlace(now)];
    for (const [key, one] of before) {
      const other = after.get(key);
      const place = placeOf(one);
      if (!other) {
        this.#add('removed', place, 'is no longer declared', true);
        continue;
      }
      if (!one.required && other.required) this.#add('changed', place, 'has become required', true);
      if (one.required && !other.required) this.#add('changed', place, 'is no longer required', false);
      this.#schemas(one.schema, other.schema, place, 'request');
      const [form, next] = [writtenForm(one, this.#documents.left), writtenForm(other, this.#documents.right)];
      if (form !== '' && next !== '' && form !== next)
        this.#add('changed', place, `style ${form} has become ${next}`, true);
    }
    for (const [key, one] of after) {
      const what = one.required ? 'is new and required' : 'is new';
      if (!before.has(key)) this.#add('added', placeOf(one), what, one.required);
    }
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
      const place = `response ${status}`;
      const others = answersFor(status, now);
      const isAwaited = status.startsWith('2') || status === 'default';
      if (others.length === 0) this.#add('removed', place, 'is no longer declared', isAwaited);
      for (const [, other] of others) {
        this.#media(answer.media, other.media, place, 'response');
        this.#headers(answer, other, place);
      }
    }
    for (const status of now.keys())
      if (answersFor(status, old).length === 0) this.#add('added', `response ${status}`, 'is new', false);
  }

  #headers({ headers: old }: Answer, { headers: now }: Answer, place: string): void {
    const has = (headers: JsonObject, name: string): boolean =>
      Object.keys(headers).some((one) => one.toLowerCase() === name.toLowerCase());
    for (const name of Object.keys(old))
      if (!has(now, name)) this.#add('removed', `${place} header "${name}"`, 'is gone', true);
    for (const name of Object.keys(now))
      if (!has(old, name)) this.#add('added', `${place} header "${name}"`, 'is new', false);
  }

  #media(old: readonly Media[], now: readonly Media[], place: string, direction: Direction): void {
    const matched = new Set<Media>();
    for (const media of old) {
      const others = counterparts(media, now, direction);
      for (const other of others) {
        matched.add(other);
        this.#schemas(media.schema, other.schema, place, direction);
      }
      if (others.length === 0) this.#add('removed', place, `media type ${media.type} is gone`, true);
    }
    for (const media of now)
      if (!matched.has(media)) this.#add('added', place, `media type ${media.type} is new`, false);
  }

  #schemas(old: Json | undefined, now: Json | undefined, place: string, direction: Direction): void {
    for (const { kind, path, what, breaking } of compareSchemas(old, now, direction, this.#documents))
      this.#add(kind, path === '$' ? place : `${place} ${path}`, what, breaking);
  }
}

/** Content that stands in place of an earlier one: what takes its requests, or the answers that it promised. */
function counterparts(media: Media, now: readonly Media[], direction: Direction): readonly Media[] {
  const same = now.find(({ type }) => type === media.type);
  if (same) return [same];
  if (direction === 'response') return now.filter(({ type }) => mediaFor(type, [media]) !== undefined);
  const wider = mediaFor(media.type, now);
  return wider ? [wider] : [];
}

/** Answers that stand in place of an earlier one: of the same status, of its range, or of a status in its range. */
function answersFor(status: string, now: Operation['responses']): readonly (readonly [string, Answer])[] {
  const key = status.toUpperCase();
  const all = [...now].map(([name, answer]) => [name.toUpperCase(), answer] as const);
  const same = all.filter(([name]) => name === key);
  if (same.length > 0 || !/^\d/.test(key)) return same;
  const range = `${key.slice(0, 1)}XX`;
  return all.filter(([name]) => (key === range ? name.startsWith(key.slice(0, 1)) : name === range));
}

/** The form in which a parameter of several values is written; empty: it has one value, written as it is. */
function writtenForm({ in: place, source, schema }: Parameter, document: JsonObject): string {
  const type = resolvedObject(schema, document)['type'];
  if (isObject(source['content']) || (type !== 'array' && type !== 'object')) return '';
  const { collectionFormat: format, style: given, explode: asked } = source;
  if (typeof document['swagger'] === 'string' && type === 'array') return oldForms[String(format ?? 'csv')] ?? '';
  const style = given ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const isSpread = typeof asked === 'boolean' ? asked : style === 'form';
  return `${String(style)}${isSpread ? ', exploded' : ''}`;
}

const oldForms: Readonly<Record<string, string>> = {
  csv: 'form',
  multi: 'form, exploded',
  ssv: 'spaceDelimited',
  pipes: 'pipeDelimited',
};
