import { basename, dirname, join, resolve } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import { didYouMean } from '#compiler/did-you-mean.ts';
import { isListed } from '#grammar/module-ref/listed.ts';
import { commandPrefix, packageOf, parseModuleRef, type ModuleRef } from '#grammar/module-ref/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Parameter } from '#schemas/types/command.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { sourceIdOf } from './files.ts';
import { refusedAt } from './refused.ts';
import { installedPackage, installedPlugin } from './installed.ts';
import { exportedNames, LARGEST_MODULE } from './module-exports.ts';

/** A module whose commands a file may call. */
export interface KnownModule {
  readonly kind: ModuleRef['kind'];
  /**
   * Place as plans name it: a package with its subpath, or a file by its path from the project root,
   * `./tools/shop.mjs`.
   */
  readonly place: string;
  /** Beginning of its commands' names, before `_<function>`. */
  readonly prefix: string;
  /** Undefined where only a run can know them. */
  readonly exports: readonly string[] | undefined;
  /** Its commands are those that the package registers, under the names that it gives them. */
  readonly plugin?: true;
  /** Parameters that a plugin declares, by command. */
  readonly params?: ReadonlyMap<string, readonly Parameter[]>;
  /** A step adds it, and `meta.modules` does not name it: its commands wait for that step. */
  readonly byStep: boolean;
  readonly at: Label;
}

/** A module that one step or entry of `meta.modules` adds, or one export of it. */
export interface AddedModule {
  readonly place: string;
  readonly export?: string;
}

/** The modules of one file, as far as its steps have been read. Nothing of a module is run. */
export class Modules {
  readonly #context: CompileContext;
  /** The action file's. */
  readonly #folder: string;
  readonly #known = new Map<string, KnownModule>();
  /** A module could not be made out, so that names which nothing here knows may be its commands. */
  isIncomplete = false;

  constructor(folder: string, context: CompileContext) {
    this.#folder = folder;
    this.#context = context;
  }

  get all(): readonly KnownModule[] {
    return [...this.#known.values()];
  }

  /** Every name of a command that is sure to be there. */
  get commands(): readonly string[] {
    return this.all.flatMap(({ prefix, exports, plugin }) =>
      plugin ? (exports ?? []) : (exports?.map((name) => `${prefix}_${name}`) ?? []),
    );
  }

  /** The module that a command would belong to, by the longest beginning, and the function's name. */
  owner(command: string): { readonly module: KnownModule; readonly name: string } | undefined {
    if (this.#known.size === 0) return undefined;
    const plugin = this.all.find((each) => each.plugin && each.exports?.includes(command));
    if (plugin) return { module: plugin, name: command };
    const [module] = this.all
      .filter(({ prefix }) => command.startsWith(`${prefix}_`))
      .sort((a, b) => b.prefix.length - a.prefix.length);
    const name = module?.plugin ? command : command.slice((module?.prefix.length ?? 0) + 1);
    return module !== undefined && /^[A-Za-z_$][\w$]*$/.test(name) ? { module, name } : undefined;
  }

  /** Makes the commands of a module known. Mistakes in it are reported. */
  async add(name: string, at: Label, byStep: boolean): Promise<AddedModule | undefined> {
    const ref = parseModuleRef(name);
    if (ref === undefined) {
      this.isIncomplete = true;
      this.#context.report(d.moduleNameUnusable({ at, name }));
      return undefined;
    }
    const place = this.#placeOf(ref);
    const isAllowed = this.#isAllowed(place);
    if (!isAllowed) this.#context.report(d.moduleNotAllowed({ at, name: ref.name, place }));
    const seen = isAllowed ? await this.#look(ref, at) : undefined;
    const module: KnownModule = {
      kind: ref.kind,
      place,
      prefix: commandPrefix(ref),
      exports: seen?.exports,
      ...(seen?.plugin && { plugin: true }),
      ...(seen?.params && { params: seen.params }),
      byStep,
      at,
    };
    if (isAllowed) this.#reportTaken(module, ref.name);
    const other = this.#known.get(module.prefix);
    if (other === undefined) this.#known.set(module.prefix, module);
    else if (other.place === place) this.#known.set(module.prefix, joined(other, module));
    else if (isAllowed)
      this.#context.report(
        d.modulePrefixTaken({ at, name, prefix: module.prefix, other: other.place, related: [other.at] }),
      );
    return { place, ...(ref.export === undefined ? {} : { export: ref.export }) };
  }

  /** Reports a command of a plugin that another one brings too. */
  #reportTaken({ place, plugin, exports = [], at }: KnownModule, name: string): void {
    if (!plugin) return;
    for (const other of this.all) {
      const command = other.plugin && other.place !== place && other.exports?.find((each) => exports.includes(each));
      if (command)
        this.#context.report(d.pluginCommandTaken({ at, name, command, other: other.place, related: [other.at] }));
    }
  }

  /** Whether the run will let the module in: by the list of the configuration, else below the project root. */
  #isAllowed(place: string): boolean {
    const list = this.#context.options.allow_packages;
    return list === undefined ? !place.startsWith('../') : isListed(place, list);
  }

  #placeOf({ kind, name }: ModuleRef): string {
    if (kind === 'package') return name;
    const path = sourceIdOf(resolve(this.#folder, name), this.#context.root);
    return path.startsWith('../') ? path : `./${path}`;
  }

  /** Whether the module is there, and what it exports. */
  async #look(ref: ModuleRef, at: Label): Promise<Seen> {
    const seen = ref.kind === 'file' ? { exports: await this.#readFile(ref, at) } : await this.#findPackage(ref, at);
    const { exports } = seen;
    if (ref.export === undefined) return seen;
    if (exports !== undefined && !exports.includes(ref.export)) {
      this.#context.report(
        d.moduleCommandUnknown({
          at,
          module: ref.name,
          function: ref.export,
          nearest: didYouMean(ref.export, exports)[0],
        }),
      );
    }
    return { ...seen, exports: [ref.export] };
  }

  async #readFile({ name }: ModuleRef, at: Label): Promise<readonly string[] | undefined> {
    const { reader } = this.#context;
    const path = resolve(this.#folder, name);
    const found = await reader.find(path);
    if (found?.kind === 'refused') {
      this.#context.report(refusedAt(found.why, { at, path: name }));
      return undefined;
    }
    if (found?.kind !== 'file') {
      this.#context.report(d.moduleNotFound({ at, name, nearest: await this.#nearestFile(path, name) }));
      return undefined;
    }
    if (found.size > LARGEST_MODULE) return undefined;
    return exportedNames(new TextDecoder().decode(await reader.read(path)));
  }

  async #nearestFile(path: string, name: string): Promise<string | undefined> {
    const beside = (await this.#context.reader.list(dirname(path)))
      .filter((entry) => entry.kind !== 'directory' && /\.[cm]?[jt]s$/.test(entry.name))
      .map((entry) => entry.name);
    const [nearest] = didYouMean(basename(path), beside);
    return nearest === undefined ? undefined : name.slice(0, name.lastIndexOf('/') + 1) + nearest;
  }

  /**
   * Reports a package that is not installed. Its exports are for Node to find out, unless it is a plugin that lists its
   * commands.
   */
  async #findPackage({ name }: ModuleRef, at: Label): Promise<Seen> {
    const { reader } = this.#context;
    const found = await installedPackage(packageOf(name), this.#folder, reader);
    if (found !== undefined) {
      const plugin = packageOf(name) === name ? await installedPlugin(found) : undefined;
      return { exports: plugin?.commands, ...(plugin && { plugin: true, params: plugin.params }) };
    }
    const isFile = (await reader.find(join(this.#folder, name)))?.kind === 'file';
    this.#context.report(d.moduleNotFound({ at, name, nearest: isFile ? `./${name}` : undefined }));
    return { exports: undefined };
  }
}

type Seen = Pick<KnownModule, 'exports' | 'plugin' | 'params'>;

/** One module that was named twice, whole or by its exports. */
function joined(one: KnownModule, other: KnownModule): KnownModule {
  const exports = one.exports && other.exports && [...new Set([...one.exports, ...other.exports])];
  return { ...one, exports, byStep: one.byStep && other.byStep };
}
