import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { schemaExports } from '#schemas/generated/schema-exports.ts';

import { isActionFile } from '../generate/action-file-validator.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** The validator of a published format by its name. */
export function validatorOf(name: string): ValidateFunction {
  if (name === 'action-file') return isActionFile;
  const found = schemaExports.find((schema) => schema.name === name);
  if (!found) throw new Error(`no schema is exported for "${name}"`);
  return (
    ajv.getSchema(`https://svc.invalid/schemas/${name}.schema.json`) ??
    ajv.compile(JSON.parse(readFileSync(path.join(root, found.file), 'utf8')) as object)
  );
}

/** Misfits of a value; empty: it fits. */
export function misfits(name: string, value: unknown): readonly string[] {
  const validate = validatorOf(name);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
