import { check, compile, plan, type Compilation, type CompileOptions, type Source } from '#compiler/api.ts';
import { Reader } from '#compiler/reader.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { human } from '#compiler/report/human.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Given } from '#runtime/kernel/options.ts';
import { readVariables } from '#runtime/program/arguments.ts';
import type { Bounds } from '#runtime/program/output.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Configuration } from '#compiler/engine/configuration.ts';
import { readConfiguration } from '#compiler/engine/read-configuration.ts';
import { readInputs } from './inputs.ts';
import { many, one } from './options.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { rootsOf } from '#compiler/engine/project.ts';
import { maskFor } from './secrets-of.ts';

/** What the verbs that take PATHs begin with. */
export interface Session {
  readonly host: Host;
  /** Project root of the first PATH, absolute. */
  readonly root: string;
  /** Project roots of everything that was named: below them nothing is written through a link. */
  readonly bounds: Bounds;
  readonly reader: Reader;
  readonly sources: readonly Source[];
  readonly configuration: Configuration;
  readonly compileOptions: CompileOptions;
  readonly variables: Readonly<Record<string, Given>>;
}

/** Reads the inputs and the configuration that a command line names. */
export async function openSession({ positional, options }: ParsedArguments, terminal: Terminal): Promise<Session> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const { files } = host;
  const [root, ...others] = await rootsOf(positional, terminal.cwd, files);
  const configuration = await readConfiguration(root, files);
  const outside = [...others, ...configuration.outside];
  const variables = readVariables(many(options, 'var'));
  const env = one(options, 'env');
  const dotenv = one(options, 'dotenv');
  const { file_bytes: bytes, depth, actions, values, aliased_values } = configuration.limits;
  const reader = new Reader(files, { roots: [root, ...outside], ...(bytes !== undefined && { limit: bytes }) });
  const inputs = await readInputs(positional, terminal, { reader, files });
  return {
    host,
    root,
    bounds: [root, ...others],
    reader,
    sources: inputs.map(({ path, bytes: content }) => ({ path, ...(content && { content }) })),
    configuration,
    variables,
    compileOptions: {
      root,
      outside,
      vars: Object.fromEntries(
        Object.entries(variables).map(([name, given]): [string, Json] => [
          name,
          'text' in given ? given.text : given.json,
        ]),
      ),
      limits: {
        ...(bytes !== undefined && { bytes }),
        ...(depth !== undefined && { depth }),
        ...(actions !== undefined && { actions }),
        ...(values !== undefined && { values }),
        ...(aliased_values !== undefined && { aliased_values }),
      },
      defaults: configuration.defaults,
      ...(configuration.settings.allow_packages && { allow_packages: configuration.settings.allow_packages }),
      ...(env !== undefined && { env }),
      ...(dotenv !== undefined && { dotenv }),
    },
  };
}

export function compileFor(
  verb: 'check' | 'plan' | 'compile' | 'run',
  { sources, compileOptions, host }: Session,
): Promise<Compilation> {
  if (verb === 'check') return check(sources, compileOptions, host);
  if (verb === 'plan') return plan(sources, compileOptions, host);
  return compile(sources, { ...compileOptions, for: verb }, host);
}

/** Prints findings for people on standard error; yields them with their places. */
export function printFindings(
  diagnostics: readonly Diagnostic[],
  files: Compilation['files'],
  session: Session,
  terminal: Terminal,
): readonly Located[] {
  if (diagnostics.length === 0) return [];
  const located = locate(diagnostics, sourcesOf(files), maskFor(session, files));
  const text = human(located, { colour: terminal.colours.err, files: files.length });
  if (text !== '') terminal.err(text);
  return located;
}
