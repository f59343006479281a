import type { Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import type { LeftOut } from '#schemas/types/left-out.ts';

/** Host of the linker, as far as it needs one. */
export type EmitHost = Pick<Host, 'files' | 'digest'>;

/**
 * The standard library as it was prebuilt with this package (`dist/library.json`): which module of the package holds
 * what a program may name. Paths of modules are relative to `folder`.
 */
export interface Library {
  /**
   * The package's folder, absolute and without links: esbuild's working directory, so that no installation shows in a
   * program.
   */
  readonly folder: string;
  /** SHA-256 of every file that programs are linked from, in hex. */
  readonly hash: string;
  /** Name and version of the package. */
  readonly generator: string;
  /** The module that exports `start`. */
  readonly program: string;
  /** Command to the module that exports it under its name. */
  readonly commands: Readonly<Record<string, string>>;
  /** Command to the module that exports its validator under its name. */
  readonly validators: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<string, ProviderModule>>;
  /** The module that exports a constructor for every failure. */
  readonly failures: string;
  readonly parts: Readonly<Partial<Record<PartName, ExportOf>>>;
  /** Parts of the host and of the program around the kernel. */
  readonly around: Readonly<Partial<Record<AroundName, ExportOf>>>;
  /** Parts of the host, and small parts, that commands, providers and parts of the kernel may ask for, by name. */
  readonly asks: Readonly<
    Record<'commands' | 'ports' | 'parts', Readonly<Record<string, readonly (AroundName | LeftOut)[]>>>
  >;
  /** Ports of commands that ask for a small part by them. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Parameter whose default does without a small part, by command and part. */
  readonly decides: Readonly<Record<string, Readonly<Partial<Record<LeftOut, DecidingParameter>>>>>;
  readonly reporters: Readonly<Record<string, ExportOf>>;
  /** Small parts that code asks about. */
  readonly leftOut: readonly LeftOut[];
  /** Ports that the kernel itself gives. */
  readonly kernelPorts: readonly string[];
  /** Packages that stay outside programs, with the versions that the library was built and tested with. */
  readonly externals: Readonly<Record<string, string>>;
}

/** The parts of the kernel's `Parts` that a program may link. */
export type PartName = 'values' | 'blocks' | 'controls' | 'graph' | 'rows' | 'inputs' | 'locks' | 'compile' | 'modules';

/** Parts of the host (`runtime/hosts/node/host-parts.ts`), and `pinned`, which holds packages fast. */
export type AroundName = 'bulk' | 'trees' | 'match' | 'processes' | 'pinned';

export interface DecidingParameter {
  readonly name: string;
  /** Its default. */
  readonly value: Json;
}

/** An export of a module of the package. */
export interface ExportOf {
  readonly module: string;
  readonly name: string;
}

/** The module that exports `provider`, and the ports that this asks for. */
export interface ProviderModule {
  readonly module: string;
  readonly needs: readonly string[];
  /** Whether it is evaluated with the program: to begin it later would cost more than it does. */
  readonly isSmall: boolean;
}

/** The library of the package in `folder`, and where it stands; undefined where it was never built. */
export async function openLibrary(folder: string, host: EmitHost): Promise<Library | undefined> {
  const file = libraryFile(folder);
  if (!(await host.files.find(file))) return undefined;
  const library = JSON.parse(new TextDecoder().decode(await host.files.read(file))) as Omit<Library, 'folder'>;
  return { ...library, folder: await host.files.realPath(folder) };
}

/** Path of the library's table, which the build writes. */
export function libraryFile(folder: string): string {
  return `${folder}/dist/library.json`;
}
