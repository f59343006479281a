import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LintConfiguration } from '#compiler/phases/lint/rule.ts';
import { readDocument } from '#grammar/document/read.ts';
import { linesOf } from '#grammar/source/lines.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { SECTIONS, type PortSettings } from '#schemas/generated/settings.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { checkConfiguration } from './check-configuration.ts';
import { reasonOf } from './reason.ts';

/** `svc.config.yaml` or `svc.config.json` of a project root (`config.schema.json`). */
export interface Configuration {
  readonly lint: LintConfiguration & { readonly ignore?: readonly string[] };
  /** The run part, which compiled programs carry. */
  readonly settings: Settings;
  readonly defaults: Readonly<Record<string, JsonObject>>;
  readonly limits: NonNullable<Settings['limits']>;
  readonly reporters: readonly string[];
}

const names = ['svc.config.yaml', 'svc.config.json'] as const;

/** Reads the configuration of a project root; without a file, everything has its default. Fails (exit 2) where it is not one. */
export async function readConfiguration(root: string): Promise<Configuration> {
  const [yaml, json] = await Promise.all(names.map((name) => readIfThere(root, name)));
  if (yaml && json)
    throw fail.configNotReadable({ path: names[1], reason: `${names[0]} stands beside it, and there can be only one` });
  return configurationOf(yaml ? await readChecked(names[0], yaml) : json ? await readChecked(names[1], json) : {});
}

async function readIfThere(root: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(join(root, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fail.configNotReadable({ path: name, reason: reasonOf(error), cause: error });
  }
}

async function readChecked(name: string, bytes: Uint8Array): Promise<JsonObject> {
  const { document, diagnostics, text } = await readDocument(bytes, { source: name });
  const lines = linesOf(text);
  const refuse = (start: number, reason: string, help?: string): never => {
    const { line, column } = lines.position(start);
    throw fail.configNotReadable({ path: `${name}:${line}:${column}`, reason, ...(help !== undefined && { help }) });
  };
  const mistake = diagnostics.find(({ severity, slug }) => severity === 'error' && slug !== 'empty-file');
  if (mistake) return refuse(startOf(mistake, document), mistake.message.replace(/\.$/, ''));
  const value = document?.value ?? {};
  const problem = await checkConfiguration(value);
  if (problem && document)
    return refuse(document.spanAt(problem.route, problem.part).start, problem.reason, problem.help);
  return isObject(value) ? value : {};
}

function startOf(
  diagnostic: Diagnostic,
  document: { spanAt(route: Route, part?: Diagnostic['primary']['part']): { readonly start: number } } | undefined,
): number {
  const { part, route } = diagnostic.primary;
  if (typeof part === 'object' && 'text' in part) return part.text.start;
  return document?.spanAt(route, part).start ?? 0;
}

/** The value fits `config.schema.json`, so its parts have the types that are named here. */
function configurationOf(value: JsonObject): Configuration {
  const part = <Part>(key: string, none: Part): Part => (value[key] as Part | undefined) ?? none;
  const given = <Key extends string, Part>(key: Key): { readonly [name in Key]?: Part } =>
    value[key] === undefined ? {} : ({ [key]: value[key] } as { readonly [name in Key]: Part });
  return {
    lint: part('lint', {}),
    settings: {
      gates: part('gates', {}),
      ...given<'allow_packages', readonly string[]>('allow_packages'),
      ...given<'secrets', NonNullable<Settings['secrets']>>('secrets'),
      ...given<'public_env', readonly string[]>('public_env'),
      ...given<'durable', boolean>('durable'),
      ...given<'limits', NonNullable<Settings['limits']>>('limits'),
      ...(Object.fromEntries(SECTIONS.flatMap((name) => Object.entries(given(name)))) as PortSettings),
    },
    defaults: part('defaults', {}),
    limits: part('limits', {}),
    reporters: part('reporters', []),
  };
}
