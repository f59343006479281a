import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const root = path.resolve(import.meta.dirname, '../..');

export const actionFileSchema = JSON.parse(
  readFileSync(path.join(root, 'schemas/generated/action-file.schema.json'), 'utf8'),
) as Readonly<Record<string, unknown>>;

/** Whether a document fits the schema of action files; made once, since it holds every command. */
export const isActionFile: ValidateFunction = new Ajv2020({
  strict: false,
  validateFormats: false,
  code: { optimize: false },
}).compile(actionFileSchema);
