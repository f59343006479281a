import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { didYouMean } from '#compiler/did-you-mean.ts';
import type { LintConfiguration } from '#compiler/phases/3-lint/rule.ts';
import { readDocument } from '#grammar/document/read.ts';
import { linesOf } from '#grammar/source/lines.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { reasonOf } from './inputs.ts';
import { packageFolder } from './package-folder.ts';

/** `svc.config.yaml` or `svc.config.json` of a project root (`config.schema.json`). */
export interface Configuration {
  readonly lint: LintConfiguration & { readonly ignore?: readonly string[] };
  /** The run part, which compiled programs carry. */
  readonly settings: Settings;
  readonly defaults: Readonly<Record<string, JsonObject>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly reporters: readonly string[];
}

const names = ['svc.config.yaml', 'svc.config.json'];

/** Reads the configuration of a project root; without a file, everything has its default. Fails (exit 2) where it is not one. */
export async function readConfiguration(root: string): Promise<Configuration> {
  for (const name of names) {
    const bytes = await readFile(join(root, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw fail.configNotReadable({ path: name, reason: reasonOf(error), cause: error });
    });
    if (bytes) return configurationOf(await readChecked(name, bytes));
  }
  return configurationOf({});
}

async function readChecked(name: string, bytes: Uint8Array): Promise<JsonObject> {
  const { document, diagnostics, text } = await readDocument(bytes, { source: name });
  const lines = linesOf(text);
  const refuse = (start: number, message: string): never => {
    const { line, column } = lines.position(start);
    throw fail.configNotReadable({ path: `${name}:${line}:${column}`, reason: message });
  };
  const mistake = diagnostics.find(({ severity }) => severity === 'error');
  if (mistake) return refuse(startOf(mistake, document), mistake.message);
  const value = document?.value ?? {};
  const schema = JSON.parse(await readFile(new URL('schemas/contracts/config.schema.json', packageFolder), 'utf8')) as JsonObject;
  const [error] = checkSchema(schema, value ?? {});
  if (error && document) {
    const route = routeOf(error.instancePath);
    const extra = error.params['additionalProperty'];
    const what = typeof extra === 'string' ? `"${[...route, extra].join('.')}" is no setting` : `"${route.join('.')}" does not fit the schema (${error.keyword} ${JSON.stringify(error.params)})`;
    return refuse(document.spanAt(typeof extra === 'string' ? [...route, extra] : route, typeof extra === 'string' ? 'key' : 'value').start, what);
  }
  const rule = await unknownRule(value as JsonObject);
  if (rule && document) return refuse(document.spanAt(['lint', 'rules', rule.name], 'key').start, rule.reason);
  return value as JsonObject;
}

/** The first rule that the configuration sets and that nothing is called. */
async function unknownRule({ lint }: JsonObject): Promise<{ readonly name: string; readonly reason: string } | undefined> {
  const rules = isObject(lint) ? lint['rules'] : undefined;
  if (!isObject(rules)) return undefined;
  const { ruleNames } = await import('#compiler/phases/3-lint/index.ts');
  const name = Object.keys(rules).find((written) => !ruleNames.includes(written));
  if (name === undefined) return undefined;
  const near = didYouMean(name, ruleNames).map((candidate) => `"${candidate}"`).join(' or ');
  return { name, reason: `there is no rule "${name}"${near === '' ? '' : `; did you mean ${near}?`}` };
}

function startOf(diagnostic: Diagnostic, document: { spanAt(route: Route, part?: Diagnostic['primary']['part']): { readonly start: number } } | undefined): number {
  const { part, route } = diagnostic.primary;
  if (typeof part === 'object' && 'text' in part) return part.text.start;
  return document?.spanAt(route, part).start ?? 0;
}

function routeOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((piece) => piece.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value fits `config.schema.json`, so its parts have the types that are named here. */
function configurationOf(value: JsonObject): Configuration {
  const part = <Part>(key: string, none: Part): Part => (value[key] as Part | undefined) ?? none;
  const given = <Key extends string, Part>(key: Key): { readonly [name in Key]?: Part } => (value[key] === undefined ? {} : ({ [key]: value[key] } as { readonly [name in Key]: Part }));
  return {
    lint: part('lint', {}),
    settings: {
      gates: part('gates', {}),
      ...given<'allow_packages', readonly string[]>('allow_packages'),
      ...given<'secrets', NonNullable<Settings['secrets']>>('secrets'),
      ...given<'public_env', readonly string[]>('public_env'),
      ...given<'durable', boolean>('durable'),
      ...given<'browser', NonNullable<Settings['browser']>>('browser'),
      ...given<'limits', Readonly<Record<string, number>>>('limits'),
    },
    defaults: part('defaults', {}),
    limits: part('limits', {}),
    reporters: part('reporters', []),
  };
}
