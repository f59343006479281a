import type { CompileOptions, DoorOptions } from '#compiler/api.ts';
import { catalogue as installed, type Catalogue } from '#compiler/catalogue.ts';
import { Reader } from '#compiler/reader.ts';
import type { Given, RunOptions } from '#runtime/kernel/options.ts';
import type { Bounds } from '#runtime/program/output.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Configuration } from './configuration/configuration.ts';
import { readConfiguration } from './configuration/read-configuration.ts';

/** Settings of one call, laid over the configuration of the project. */
export interface ProjectSettings {
  /** Environment profile: `.env.<name>`, or another file of environment variables. */
  readonly environment?: NonNullable<RunOptions['environment']>;
  readonly variables?: Readonly<Record<string, Given>>;
  /** Declarations of commands; those of the standard library by default. */
  readonly catalogue?: Catalogue;
}

/** A project on a host, ready for its files to be checked, planned and run. */
export interface Project {
  readonly host: Host;
  /** Project root, absolute. */
  readonly root: string;
  /** Folders below which nothing is written through a link: the roots of all projects that take part. */
  readonly bounds: Bounds;
  /** Reads below the root, and what the configuration lists. */
  readonly reader: Reader;
  readonly configuration: Configuration;
  readonly environment: NonNullable<RunOptions['environment']>;
  readonly variables: Readonly<Record<string, Given>>;
  readonly catalogue: Catalogue;
  readonly compileOptions: DoorOptions;
  /** State folder, made when it is first asked for. */
  state(): Promise<string>;
}

/** Reads the configuration of a project root. Fails where that is none, or opens what is closed above it. */
export async function openProject(root: string, host: Host, settings: ProjectSettings = {}): Promise<Project> {
  const { environment = {}, variables = {}, catalogue = installed } = settings;
  const configuration = await readConfiguration(root, host.files);
  const { outside } = configuration;
  const { file_bytes: limit } = configuration.limits;
  let state: Promise<string> | undefined;
  return {
    host,
    root,
    bounds: [root],
    reader: new Reader(host.files, { roots: [root, ...outside], ...(limit !== undefined && { limit }) }),
    configuration,
    environment,
    variables,
    catalogue,
    compileOptions: {
      root,
      outside,
      catalogue,
      vars: Object.fromEntries(Object.entries(variables).map(([name, given]) => [name, valueOf(given)])),
      limits: compileLimits(configuration),
      defaults: configuration.defaults,
      willRead: settleYoungGeneration,
      ...(configuration.settings.allow_packages && { allow_packages: configuration.settings.allow_packages }),
      ...(environment.name !== undefined && { env: environment.name }),
      ...(environment.file !== undefined && { dotenv: environment.file }),
    },
    state: () => (state ??= import('./state.ts').then(({ stateFolder }) => stateFolder(root, host.env))),
  };
}

/** The value of a variable that the command line gives. */
export function valueOf(given: Given): Json {
  return 'text' in given ? given.text : given.json;
}

/** Size (bytes) of a source that is long. */
const LONG = 4 * 1024 * 1024;

/**
 * Keeps the young generation of the heap as small as it is before a long source is read (`test/bench/README.md`).
 * Nearly everything that the compiler makes of a source lives as long as the compilation: a larger generation is
 * filled, copied and paged in for nothing.
 */
function settleYoungGeneration(size: number): void {
  // The module stands on streams: short files never ask for it.
  if (size < LONG) return;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
  // So small a generation is copied sooner than threads that help are woken.
  setFlagsFromString('--no-parallel-scavenge');
}

function compileLimits({ limits }: Configuration): NonNullable<CompileOptions['limits']> {
  const { file_bytes: bytes, depth, actions, values, aliased_values } = limits;
  return {
    ...(bytes !== undefined && { bytes }),
    ...(depth !== undefined && { depth }),
    ...(actions !== undefined && { actions }),
    ...(values !== undefined && { values }),
    ...(aliased_values !== undefined && { aliased_values }),
  };
}
