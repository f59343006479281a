import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compile } from 'json-schema-to-typescript';

import type { JsonObject } from '#schemas/types/json.ts';

import type { Port } from '../commands/ports.ts';
import { readonlyArrays } from '../commands/readonly-arrays.ts';
import { Cache } from '../cache.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';
import { printJson } from '../print-json.ts';

const contract = 'schemas/contracts/config.schema.json';

/**
 * The configuration: what the contract says, and the limits and sections that ports declare. Makes its schema, the
 * types that the kernel hands to providers (`settings.ts`), and the default of each limit, a constant of its own, so
 * that a program carries those that it asks for.
 */
export async function writeConfiguration(
  root: string,
  ports: readonly Port[],
  outputs: Outputs,
  mistakes: Mistakes,
): Promise<void> {
  const base = JSON.parse(readFileSync(join(root, contract), 'utf8')) as JsonObject;
  const { properties, ...rest } = base as { readonly properties: JsonObject };
  const limits = properties['limits'] as JsonObject & { readonly properties: JsonObject };
  const sections = Object.assign({}, ...ports.map(({ settings }) => settings)) as JsonObject;
  for (const name of Object.keys(sections))
    if (Object.hasOwn(properties, name)) mistakes.add(contract, name, 'a port declares this section already');
  const allLimits = { ...limits.properties, ...Object.assign({}, ...ports.map((port) => port.limits)) } as JsonObject;
  const complete = { ...properties, limits: { ...limits, properties: sorted(allLimits) }, ...sections };
  outputs.add('config.schema.json', printJson({ ...rest, properties: complete }), 'built');
  outputs.add('settings.ts', await settingsModule(root, allLimits, sections, ports), 'built');
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function settingsModule(
  root: string,
  limits: JsonObject,
  sections: JsonObject,
  ports: readonly Port[],
): Promise<string> {
  const closed = { type: 'object', additionalProperties: false } as const;
  const schema = { ...closed, properties: { limits: { ...closed, properties: sorted(limits) }, ...sections } };
  const types = await new Cache(root).get('settings-1', JSON.stringify(schema), async () => {
    const made = await compile(schema as never, 'PortSettings', { bannerComment: '', format: false });
    return readonlyArrays(made).trim();
  });
  const defaults = ports
    .flatMap((port) => Object.entries(port.limits))
    .map(
      ([name, { default: value, description }]) =>
        `/** ${description} */\nexport const ${name.toUpperCase()} = ${value};\n`,
    );
  const names = Object.keys(sections).toSorted();
  return `// Generated from port.yaml files and ${contract} by \`npm run generate\`. Do not edit.
/** Sections of the configuration that belong to ports, and every limit. */
${types}

/** Sections of the configuration that belong to ports. */
export const SECTIONS = ${JSON.stringify(names)} as const;
${defaults.join('')}`;
}
