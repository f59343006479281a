import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { pointerKeys } from '#schemas/types/json.ts';

import type { Mistakes } from './mistakes.ts';

const compiled = new Map<string, ValidateFunction>();

/**
 * Holds a declaration to its schema in `schemas/meta`. False where it does not fit; each misfit is a mistake with its
 * place.
 */
export function holdsTo(root: string, schema: string, value: unknown, file: string, mistakes: Mistakes): boolean {
  const errors = findMisfits(root, schema, value);
  for (const error of worthSaying(errors)) mistakes.add(file, placeOf(value, error.instancePath), describe(error));
  return errors.length === 0;
}

/** Whether it fits, without a word. */
export function fits(root: string, schema: string, value: unknown): boolean {
  return findMisfits(root, schema, value).length === 0;
}

function findMisfits(root: string, schema: string, value: unknown): readonly ErrorObject[] {
  const key = join(root, schema);
  const validate = compiled.get(key) ?? compileSchema(root, schema);
  compiled.set(key, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

function compileSchema(root: string, name: string): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, formats: { regex: isRegex } });
  return ajv.compile(JSON.parse(readFileSync(join(root, 'schemas/meta', name), 'utf8')) as object);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}

/** `anyOf` repeats what its branches say. */
function worthSaying(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const own = errors.filter((error) => error.keyword !== 'anyOf');
  return own.length === 0 ? errors : own;
}

/** The way to a value, with the name of a command instead of its index. */
function placeOf(value: unknown, pointer: string): string {
  let current = value;
  return pointerKeys(pointer)
    .map((part) => {
      current =
        typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[part] : undefined;
      const name = typeof current === 'object' && current !== null ? (current as { name?: unknown }).name : undefined;
      return /^\d+$/.test(part) && typeof name === 'string' ? name : part;
    })
    .join('.');
}

function describe(error: ErrorObject): string {
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> };
  if (keyword === 'additionalProperties') return `"${String(params['additionalProperty'])}" is not known there`;
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  return error.message ?? keyword;
}
