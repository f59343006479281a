import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { isListed } from '#grammar/module-ref/listed.ts';
import { commandPrefix, parseModuleRef, type ModuleRef } from '#grammar/module-ref/parse.ts';
import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { CallbackTable } from './callback-table.ts';
import { functionNames, memberOf, type Namespace } from './member.ts';
import type { ModuleFunction, Modules } from './port.ts';
import { resolvePackage } from './resolve-package.ts';

export const provider: Provider<'modules'> = { open: (context) => new ImportedModules(context) };

/** The modules of one unit. What was imported stays so for as long as the process lives; that is Node's own rule. */
class ImportedModules implements Modules {
  readonly #context: PortContext;
  readonly #opened = new Map<string, Promise<Opened>>();

  constructor(context: PortContext) {
    this.#context = context;
  }

  async load(name: string): Promise<void> {
    await this.#loaded(name);
  }

  async loadForCallbacks(name: string): Promise<void> {
    const { ref, place, namespace } = await this.#loaded(name);
    const prefix = commandPrefix(ref);
    const names = ref.export === undefined ? functionNames(namespace) : [ref.export];
    this.#context
      .ofRun('callbacks', () => new CallbackTable())
      .add(Object.fromEntries(names.map((each) => [`${prefix}_${each}`, memberOf(namespace, each, place)])));
  }

  async #loaded(
    name: string,
  ): Promise<{ readonly ref: ModuleRef; readonly place: string; readonly namespace: Namespace }> {
    const ref = parseModuleRef(name);
    if (ref === undefined) throw fail.noModuleName({ module: name });
    const { root } = this.#context.folders;
    const place = ref.kind === 'file' ? placeOf(resolve(root, ref.name), root) : ref.name;
    const { namespace } = await this.#open(place);
    if (ref.export !== undefined) memberOf(namespace, ref.export, place);
    return { ref, place, namespace };
  }

  async reference(text: string): Promise<ModuleFunction> {
    const { file, name } = /^(?<file>[^#]+)#(?<name>[^#]+)$/.exec(text)?.groups ?? {};
    if (file === undefined || name === undefined) throw fail.functionReferenceUnusable({ reference: text });
    const { here, root } = this.#context.folders;
    return this.find(placeOf(resolve(here, file), root), name);
  }

  async find(place: string, name: string): Promise<ModuleFunction> {
    const { namespace } = await this.#open(place);
    return memberOf(namespace, name, place);
  }

  /** The gate may have been closed since the module was loaded. */
  #open(place: string): Promise<Opened> {
    if (!this.#context.isOpen('packages')) throw fail.gateClosed({ gate: 'packages', subject: place });
    let opening = this.#opened.get(place);
    if (!opening) {
      opening = this.#import(place);
      this.#opened.set(place, opening);
      opening.catch(() => this.#opened.delete(place));
    }
    return opening;
  }

  async #import(place: string): Promise<Opened> {
    this.#allow(place);
    const path = isPath(place) ? await this.#file(place) : await this.#package(place);
    try {
      return await importWhole(pathToFileURL(path).href);
    } catch (cause) {
      throw fail.moduleBroken({ module: place, reason: cause instanceof Error ? cause.message : String(cause), cause });
    }
  }

  /** Refuses what the host does not allow, before anything of the module is looked at. */
  #allow(place: string): void {
    const { settings, notice } = this.#context;
    const list = settings.allow_packages;
    const isOutside = isPath(place) && !place.startsWith('./');
    if (list === undefined ? isOutside : !isListed(place, list)) throw fail.moduleRefused({ module: place });
    if (list === undefined)
      notice('warning', fail.modulesNotListed({ module: place }).message, { once: 'modules-not-listed' });
  }

  async #file(place: string): Promise<string> {
    const { files } = this.#context.host;
    const { root } = this.#context.folders;
    const path = resolve(root, place);
    if ((await files.find(path))?.kind !== 'file') throw fail.moduleMissing({ module: place, folder: root });
    const real = await files.realPath(path);
    // A link leads where it leads.
    const realPlace = placeOf(real, await files.realPath(root));
    if (realPlace !== place) this.#allow(realPlace);
    return real;
  }

  async #package(name: string): Promise<string> {
    const {
      folders: { here },
      host,
    } = this.#context;
    const path = await resolvePackage(name, here, host.files);
    if (path === undefined) throw fail.moduleMissing({ module: name, folder: here });
    return path;
  }
}

/** What a module exports, in something that nobody takes for a promise: a module may export `then`. */
interface Opened {
  readonly namespace: Namespace;
}

/** Imports by a module of one line, for the namespace itself is what `await` asks for its `then`. */
async function importWhole(address: string): Promise<Opened> {
  const text = `export * as namespace from ${JSON.stringify(address)};`;
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Opened;
}

/** A file as plans name it: its path from the root, with `/`, beginning with `./` or `../`. */
function placeOf(path: string, root: string): string {
  const steps = relative(root, path).split(sep).join('/');
  return steps.startsWith('../') || isAbsolute(steps) ? steps : `./${steps}`;
}

function isPath(place: string): boolean {
  return place.startsWith('./') || place.startsWith('../') || isAbsolute(place);
}
