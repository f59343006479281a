import type { JsonObject } from '#schemas/types/json.ts';

/** JSON Schemas for what test programs ask of the type of a value; conditions do not ask for types. */
const schemas: Readonly<Record<string, JsonObject>> = {
  isInteger: { type: 'integer' },
  isNumber: { type: 'number' },
  isBoolean: { type: 'boolean' },
  isString: { type: 'string' },
  isObject: { type: 'object' },
  isArray: { type: 'array' },
  isList: { type: 'array' },
  isCollection: { type: ['array', 'object'] },
  isIsoDate: { type: 'string', format: 'date-time' },
  isUuid: { type: 'string', format: 'uuid' },
  isIpv4: { type: 'string', format: 'ipv4' },
  isIpv6: { type: 'string', format: 'ipv6' },
};

/** The schema that a predicate such as `isString` asks for; undefined: it is none about a type. */
export function schemaOfPredicate(name: string, isNegated = false): JsonObject | undefined {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  return schema && isNegated ? { not: schema } : schema;
}

/** A condition on a part of the text: `start` and `end` say where it must stand. */
export function textCondition(subject: string, part: string, place: 'start' | 'end'): string | undefined {
  if (/[\n\r]/.test(part)) return undefined;
  const plain = part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return `matches(${subject}, /${place === 'start' ? `^${plain}` : `${plain}$`}/)`;
}
