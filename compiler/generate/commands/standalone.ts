import type { Options } from 'ajv/dist/core.js';
import core from 'ajv/dist/core.js';
import standalone from 'ajv/dist/standalone/index.js';
import applicator from 'ajv/dist/vocabularies/applicator/index.js';
import coreVocabulary from 'ajv/dist/vocabularies/core/index.js';
import format from 'ajv/dist/vocabularies/format/index.js';
import { contentVocabulary, metadataVocabulary } from 'ajv/dist/vocabularies/metadata.js';
import validation from 'ajv/dist/vocabularies/validation/index.js';

import type { Json, JsonObject } from '#schemas/types/json.ts';

const options: Options = {
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  validateSchema: false,
  messages: false,
  meta: false,
  code: { source: true, esm: true, lines: true },
};

/**
 * ajv with draft 2020-12 minus what declarations cannot say: references and `unevaluated…`, which cost every validator.
 */
function openAjv(formats: Readonly<Record<string, RegExp>>): core.default {
  const ajv = new core.default({ ...options, formats });
  const vocabularies = [
    coreVocabulary.default,
    validation.default,
    applicator.default(true),
    format.default,
    metadataVocabulary,
    contentVocabulary,
  ];
  for (const vocabulary of vocabularies) ajv.addVocabulary(vocabulary);
  return ajv;
}

/**
 * The text of \`export const NAME\`: a function from parameters to findings (empty: valid). ajv's code is made
 * self-contained and shorter: literals instead of the schema, no schema paths, no \`require\`.
 */
export function standaloneValidator(
  name: string,
  schema: JsonObject,
  formats: Readonly<Record<string, RegExp>>,
): string {
  const ajv = openAjv(formats);
  const validate = ajv.compile(schema);
  const code = standalone.default(ajv, validate);
  const main = /^export default (\w+);$/m.exec(code)?.[1];
  if (main === undefined) throw new Error(`${name}: ajv's code has no default export any more`);
  const body = shortened(selfContained(code, schema));
  const left = /require\(|\bschema\d+\b/.exec(body);
  if (left) throw new Error(`${name}: ajv's code still says "${left[0]}"`);
  return `export const ${name} = /* @__PURE__ */ (() => {\n${body}return (params) => (${main}(params) ? none : ${main}.errors);\n})();\n`;
}

function selfContained(code: string, schema: JsonObject): string {
  return withNameSets(code, schema)
    .replace(/^"use strict";\n/, '')
    .replace(/^export .*;\n/gm, '')
    .replace(/^const (\w+) = require\("ajv\/dist\/runtime\/(ucs2length|equal)"\)\.default;$/gm, 'const $1 = $2;')
    .replace(/^const schema\d+ = .*;\n/gm, '')
    .replace(/\bschema\d+((?:\.\w+|\["(?:[^"\\]|\\.)*"\]|\[\d+\])+)/g, (_, path: string) => literalAt(schema, path));
}

/**
 * The code with sets of names: where an object has many properties, ajv asks the schema for each key; a set
 * made once takes its place.
 */
function withNameSets(code: string, schema: JsonObject): string {
  const sets: string[] = [];
  const replaced = code.replace(
    /\bfunc\d+\.call\(schema\d+((?:\.\w+|\["(?:[^"\\]|\\.)*"\]|\[\d+\])+), (key\d+)\)/g,
    (_, path: string, key: string) => {
      sets.push(
        `const names${sets.length} = new Set(${JSON.stringify(Object.keys(valueAt(schema, path) as JsonObject))});\n`,
      );
      return `names${sets.length - 1}.has(${key})`;
    },
  );
  return sets.join('') + replaced.replace(/^"use strict";\n/, '');
}

function literalAt(schema: JsonObject, path: string): string {
  return JSON.stringify(valueAt(schema, path));
}

function valueAt(schema: JsonObject, path: string): Json {
  const steps = [...path.matchAll(/\.(\w+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)].map(
    ([, name, quoted, index]) => name ?? index ?? (JSON.parse(`"${quoted ?? ''}"`) as string),
  );
  const value = steps.reduce<unknown>((current, step) => (current as Record<string, unknown>)[step], schema);
  if (value === undefined) throw new Error(`the schema has nothing at ${path}`);
  return value as Json;
}

function shortened(code: string): string {
  return code
    .replace(
      /if\(vErrors === null\)\{\nvErrors = \[(\w+)\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g,
      '(vErrors ??= []).push($1);',
    )
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replace(/, parentData, parentDataProperty, rootData=data(?:, dynamicAnchors=\{\})?\}=\{\}/g, '}={}');
}
