import { fastFormats } from 'ajv-formats/dist/formats.js';

import type { JsonObject } from '#schemas/types/json.ts';

import type { Cache } from '../cache.ts';
import type { Mistakes } from '../mistakes.ts';

import type { Declaration, Family } from './declaration.ts';
import { isBlock, parametersSchema } from './parameter-schemas.ts';
import { standaloneValidator } from './standalone.ts';

const VERSION = '2';
const head = '// Generated from stdlib by `npm run generate`. Do not edit.\n';

/** Formats by regular expression, so that a validator needs nothing beside itself. */
const formats: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['date-time', 'date', 'time', 'email', 'hostname', 'uri', 'uuid'].map((name) => [name, fastFormat(name)]),
  ),
  // `<file>#<export>`, or dotted names of a module.
  'module-ref': /^[^\s#]+(?:#[A-Za-z_$][\w$]*)?$/u,
  'element-ref': /^[^]*$/u,
  'session-ref': /^[^]*$/u,
};

function fastFormat(name: string): RegExp {
  const format: unknown = (fastFormats as Record<string, unknown>)[name];
  const found = format instanceof RegExp ? format : (format as { validate?: unknown } | undefined)?.validate;
  if (found instanceof RegExp) return found;
  throw new Error(`the format "${name}" is no regular expression`);
}

/** `formats.ts`: the same expressions for the compiler's own walker. */
export function formatsModule(): string {
  const rows = Object.entries(formats).map(
    ([name, { source, flags }]) => `  '${name}': new RegExp(${JSON.stringify(source)}, '${flags}'),`,
  );
  return `${head}
/** Formats that declarations may use, by name. */
export const formats: Readonly<Record<string, RegExp>> = {
${rows.join('\n')}
};
`;
}

/**
 * The validators of a family: one export a command, free of side effects, so that a bundle keeps only those it names.
 */
export async function familyValidators(family: Family, cache: Cache, mistakes: Mistakes): Promise<string> {
  const schemas = family.commands.map((declaration) => [declaration.name, validatorSchema(declaration)] as const);
  try {
    return await cache.get(`validators-${VERSION}`, JSON.stringify(schemas), () => {
      const parts = schemas.map(([name, schema]) => standaloneValidator(name, schema, formats));
      const support = ['ucs2length', 'equal'].filter((name) => parts.some((part) => part.includes(` = ${name};`)));
      const imports = support.length === 0 ? '' : `import { ${support.join(', ')} } from '../support.js';\n`;
      return `${head}${imports}const none = [];\n${parts.join('')}`;
    });
  } catch (error) {
    mistakes.add(family.file, '', `no validator: ${error instanceof Error ? error.message : String(error)}`);
    return head;
  }
}

/** Blocks are checked as steps, not as JSON. */
function validatorSchema(declaration: Declaration): JsonObject {
  return parametersSchema(declaration, (parameter) => (isBlock(parameter) ? {} : undefined));
}

/** The types of that module. */
export function validatorTypes(family: Family): string {
  const exports = family.commands.map(({ name }) => `export const ${name}: Validate;\n`);
  return `${head}import type { Validate } from '../../../types/validation.ts';\n\n${exports.join('')}`;
}

/** `validators.ts`: how to load the validators of a family. */
export function validatorsIndex(families: readonly Family[]): string {
  const rows = families.map(
    ({ domain, name }) => `  '${domain}/${name}': () => import('./validators/${domain}/${name}.js'),`,
  );
  return `${head}import type { Validate } from '../types/validation.ts';

/** Validators by command, by \`<domain>/<family>\`. */
export const validators: Readonly<Record<string, () => Promise<Readonly<Record<string, Validate>>>>> = {
${rows.join('\n')}
};
`;
}

/** Functions that validators call: length in characters, and deep equality of JSON. */
export const validatorSupport = `${head}
export function ucs2length(text) {
  let length = text.length;
  for (let at = text.length - 1; at > 0; at--) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00 || (text.charCodeAt(at - 1) & 0xfc00) !== 0xd800) continue;
    length--;
    at--;
  }
  return length;
}

export function equal(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
`;
