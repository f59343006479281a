import { join } from 'node:path';

import { Reader } from '#compiler/reader.ts';
import type { Document } from '#grammar/document/document.ts';
import { readDocument } from '#grammar/document/read.ts';
import { linesOf } from '#grammar/source/lines.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import { SECTIONS, type PortSettings } from '#schemas/generated/settings.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { checkConfiguration, defaultLimits } from './check-configuration.ts';
import type { Configuration } from './configuration.ts';
import { narrowed, openedSetting, outsideOf, type Enclosing } from './narrow-configuration.ts';
import { configuredAbove } from '../project-root.ts';

/** A configuration with a way to say what is wrong with one of its settings. */
interface Written {
  readonly configuration: Configuration;
  readonly refuse: (route: Route, reason: string, help?: string) => never;
}

const names = ['svc.config.yaml', 'svc.config.json'] as const;

/**
 * Reads the configuration of a project root; without a file, everything has its default. Where the root lies in a
 * folder with a configuration of its own, that one's limits hold here too. Fails (exit 2) where it is not one, or opens
 * what is closed above.
 */
export async function readConfiguration(root: string, files: Files = nodeHost().files): Promise<Configuration> {
  const { configuration: own, refuse } = await readOwn(root, files);
  let configuration = own;
  for (const folder of await configuredAbove(root, files)) {
    const above: Enclosing = {
      folder,
      configuration: (await readOwn(folder, files)).configuration,
      defaults: await defaultLimits(),
    };
    const opened = openedSetting(own, above, root);
    if (opened)
      refuse(
        opened,
        `"${opened.join('.')}" opens what "${above.configuration.file ?? folder}" keeps closed`,
        'Open it there, or for one run on the command line.',
      );
    configuration = narrowed(configuration, above, root);
  }
  return configuration;
}

async function readOwn(root: string, files: Files): Promise<Written> {
  const reader = new Reader(files, { roots: [root] });
  const [yaml, json] = await Promise.all(names.map((name) => readIfThere(root, name, reader)));
  if (yaml && json)
    throw fail.configNotReadable({ path: names[1], reason: `${names[0]} stands beside it, and there can be only one` });
  if (yaml) return readChecked(root, names[0], yaml);
  if (json) return readChecked(root, names[1], json);
  return {
    configuration: configurationOf({}, root),
    refuse: (_route, reason) => {
      throw fail.configNotReadable({ path: root, reason });
    },
  };
}

async function readIfThere(root: string, name: string, reader: Reader): Promise<Uint8Array | undefined> {
  try {
    return await reader.read(join(root, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fail.configNotReadable({ path: name, reason: reasonOf(error), cause: error });
  }
}

async function readChecked(root: string, name: string, bytes: Uint8Array): Promise<Written> {
  const { document, diagnostics, text } = await readDocument(bytes, { source: name });
  const lines = linesOf(text);
  const refuse = (start: number, reason: string, help?: string): never => {
    const { line, column } = lines.position(start);
    throw fail.configNotReadable({ path: `${name}:${line}:${column}`, reason, ...(help !== undefined && { help }) });
  };
  const mistake = diagnostics.find(({ severity, slug }) => severity === 'error' && slug !== 'empty-file');
  if (mistake) refuse(startOf(mistake, document), mistake.message);
  const value = document?.value ?? {};
  const problem = await checkConfiguration(value);
  if (problem && document) refuse(document.spanAt(problem.route, problem.part).start, problem.reason, problem.help);
  return {
    configuration: { ...configurationOf(isObject(value) ? value : {}, root), file: join(root, name) },
    refuse: (route, reason, help) => refuse(document?.spanAt(route, 'value').start ?? 0, reason, help),
  };
}

function startOf(diagnostic: Diagnostic, document: Pick<Document, 'spanAt'> | undefined): number {
  const { part, route } = diagnostic.primary;
  if (typeof part === 'object' && 'text' in part) return part.text.start;
  return document?.spanAt(route, part).start ?? 0;
}

/** The value fits `config.schema.json`, so its parts have the types that are named here. */
function configurationOf(value: JsonObject, root: string): Configuration {
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
      ...given<'seed', number>('seed'),
      ...given<'limits', NonNullable<Settings['limits']>>('limits'),
      ...(Object.fromEntries(SECTIONS.flatMap((name) => Object.entries(given(name)))) as PortSettings),
    },
    defaults: part('defaults', {}),
    limits: part('limits', {}),
    reporters: part('reporters', []),
    keepReports: part('keep_reports', 20),
    outside: outsideOf(part('allow_outside', []), root),
  };
}
