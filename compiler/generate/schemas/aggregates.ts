import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Declaration, Family } from '../commands/declaration.ts';
import { familyKey } from '../commands/declaration.ts';
import type { Outputs } from '../outputs.ts';
import { printJson } from '../print-json.ts';

import type { CanRun } from './action-file.ts';
import { actionFileSchema } from './action-file.ts';
import { commandSchema } from './command-schema.ts';
import { withoutOwnFormats } from './own-formats.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** Contracts that the generator completes by what declarations add. */
const completed: ReadonlySet<string> = new Set(['action-file', 'config']);
const prefixes = { browser: 'WR', api: 'AT', files: 'FA' } as const;

/**
 * JSON Schemas 2020-12 for editors and tools: a file a family, a file a prefix, action files, and what may be exported.
 */
export function writeSchemas(root: string, families: readonly Family[], canRun: CanRun, outputs: Outputs): void {
  const frame = readContract(root, 'action-file');
  for (const family of families)
    outputs.add(`${familyKey(family)}.schema.json`, printJson(familySchema(family, frame)), 'built');
  outputs.add('action-file.schema.json', `${JSON.stringify(actionFileSchema(frame, families, canRun))}\n`, 'built');
  for (const [domain, prefix] of Object.entries(prefixes)) {
    const commands = families.filter((family) => family.domain === domain).flatMap((family) => family.commands);
    outputs.add(
      `${idOf(prefix)}.schema.json`,
      printJson(
        commandsSchema(commands, idOf(prefix), `${prefix}_ commands`, `Parameters of every ${prefix}_ command.`, frame),
      ),
      'built',
    );
  }
  outputs.add('schema-exports.ts', exportsModule(root), 'built');
}

function idOf(prefix: string): string {
  return `${prefix.toLowerCase()}-commands`;
}

function readContract(root: string, name: string): JsonObject {
  return JSON.parse(readFileSync(join(root, `schemas/contracts/${name}.schema.json`), 'utf8')) as JsonObject;
}

function familySchema(family: Family, frame: JsonObject): JsonObject {
  const schema = commandsSchema(
    family.commands,
    familyKey(family),
    `Commands of the family ${family.name}`,
    'Parameters by command; results stand under `$defs`.',
    frame,
  );
  const results = family.commands.map(({ name, returns }) => [`${name}.result`, withoutOwnFormats(returns)] as const);
  return {
    ...schema,
    $defs: { ...(schema['$defs'] as JsonObject), ...Object.fromEntries(results) },
  };
}

function commandsSchema(
  commands: readonly Declaration[],
  id: string,
  title: string,
  description: string,
  frame: JsonObject,
): JsonObject {
  const definitions = Object.fromEntries(commands.map((declaration) => [declaration.name, commandSchema(declaration)]));
  return {
    $schema: dialect,
    $id: `https://svc.invalid/schemas/${id}.schema.json`,
    title,
    description,
    type: 'object',
    properties: Object.fromEntries(commands.map(({ name }) => [name, { $ref: `#/$defs/${name}` }])),
    additionalProperties: false,
    $defs: { ...needed(definitions, frame), ...definitions },
  };
}

/**
 * Definitions that the commands refer to: steps are described here, and spelled out in the schema of action
 * files.
 */
function needed(definitions: JsonObject, frame: JsonObject): JsonObject {
  const text = JSON.stringify(definitions);
  const frameDefinitions = frame['$defs'];
  const from = (name: string): Json => (isObject(frameDefinitions) ? (frameDefinitions[name] ?? {}) : {});
  const parts: Readonly<Record<string, Json>> = {
    reference: from('reference'),
    steps: {
      type: ['array', 'object', 'string'],
      description: 'Actions in any form (see the schema of action files).',
    },
    nodes: { type: 'array', description: 'Nodes of a graph (see the schema of action files).' },
    options: {
      properties: Object.fromEntries(
        ['id', 'depends_on', 'tags'].map((name) => [
          name,
          ((from('options') as JsonObject)['properties'] as JsonObject)[name] ?? {},
        ]),
      ),
    },
  };
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/$defs/${name}`)));
}

/** `schema-exports.ts`: what `svc schema export` writes, by path from the package's folder. */
function exportsModule(root: string): string {
  const contracts = readdirSync(join(root, 'schemas/contracts'))
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => name.slice(0, -'.schema.json'.length))
    .sort();
  const rows = [
    ...contracts.map((name) => ({
      name,
      file: `schemas/${completed.has(name) ? 'generated' : 'contracts'}/${name}.schema.json`,
      title: readContract(root, name)['title'],
    })),
    ...Object.values(prefixes).map((prefix) => ({
      name: idOf(prefix),
      file: `schemas/generated/${idOf(prefix)}.schema.json`,
      title: `${prefix}_ commands`,
    })),
  ];
  return `// Generated by \`npm run generate\`. Do not edit.
export interface SchemaExport {
  readonly name: string;
  /** Path from the package's folder. */
  readonly file: string;
  readonly title: string;
}

export const schemaExports: readonly SchemaExport[] = ${JSON.stringify(rows, null, 1)};
`;
}
