import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { isListed } from '#grammar/module-ref/listed.ts';
import { commandPrefix, packageOf, parseModuleRef, type ModuleRef } from '#grammar/module-ref/parse.ts';
import type { PortContext, Provider, StepInfo } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { MODULE_SECONDS } from '#schemas/generated/settings.ts';

import { CallbackTable } from './callback-table.ts';
import { heldToLimit } from './held-to-limit.ts';
import { importWhole, type Opened } from './import-whole.ts';
import { inTime } from './in-time.ts';
import { turn } from './left-rejections.ts';
import { functionNames, memberOf } from './member.ts';
import { heldBy, loadPlugin, loadPlugins } from './plugins.ts';
import type { LoadedPlugin, ModuleFunction, Modules } from './port.ts';
import { homeOf, resolvePackage } from './resolve-package.ts';
import { withoutEndlessLoop } from './without-endless-loop.ts';

export const provider: Provider<'modules'> = { open: (context) => new ImportedModules(context) };

/** The modules of one unit. An imported module stays so for as long as the process lives; that is Node's own rule. */
class ImportedModules implements Modules {
  readonly #context: PortContext;
  readonly #opened = new Map<string, Promise<Opened>>();

  constructor(context: PortContext) {
    this.#context = context;
    // A promise that failed, and that a function has left alone, ends the run, after its last step too.
    context.release(turn);
  }

  async load(name: string): Promise<void> {
    await this.#loaded(name);
  }

  async loadForCallbacks(name: string): Promise<void> {
    const { ref, place, namespace, isPlugin } = await this.#loaded(name);
    const prefix = isPlugin ? '' : `${commandPrefix(ref)}_`;
    const names = ref.export === undefined ? functionNames(namespace) : [ref.export];
    this.#context
      .ofRun('callbacks', () => new CallbackTable())
      .add(Object.fromEntries(names.map((each) => [prefix + each, memberOf(namespace, each, place)])));
  }

  async #loaded(name: string): Promise<Opened & { readonly ref: ModuleRef; readonly place: string }> {
    const ref = parseModuleRef(name);
    if (ref === undefined) throw fail.noModuleName({ module: name });
    const { root } = this.#context.folders;
    const place = ref.kind === 'file' ? placeOf(resolve(root, ref.name), root) : ref.name;
    const opened = await this.#open(place);
    if (ref.export !== undefined) memberOf(opened.namespace, ref.export, place);
    return { ref, place, ...opened };
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

  async within({ deadline }: Pick<StepInfo, 'deadline'>, call: () => unknown): Promise<unknown> {
    if (deadline === undefined) return await call();
    // V8 forgets the promises whose turn has come when it ends what runs: here none of others are left.
    await turn();
    return await heldToLimit(deadline - this.#context.host.clock.monotonic(), call);
  }

  async plugins(): Promise<readonly LoadedPlugin[]> {
    const { host, folders, isOpen, settings } = this.#context;
    if (!isOpen('packages')) throw fail.gateClosed({ gate: 'packages', subject: 'plugins' });
    const { allow_packages: list } = settings;
    return await loadPlugins({
      files: host.files,
      clock: host.clock,
      seconds: this.#seconds,
      root: folders.root,
      refusal: (name) =>
        list === undefined || isListed(name, list)
          ? undefined
          : '"allow_packages" of the configuration does not list it',
    });
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
    const plugin = isPath(place) ? undefined : await this.#plugin(place);
    if (plugin?.error != null) throw fail.moduleBroken({ module: place, reason: plugin.error });
    if (plugin) return { namespace: plugin.functions, isPlugin: true };
    const path = isPath(place) ? await this.#file(place) : await this.#package(place);
    try {
      return await this.#inTime(place, () => importWhole(pathToFileURL(path).href));
    } catch (cause) {
      throw fail.moduleBroken({ module: place, reason: cause instanceof Error ? cause.message : String(cause), cause });
    }
  }

  /** Whatever a module executes while it is loaded, waits for or loops in, has an end. */
  #inTime(place: string, load: () => Promise<Opened>): Promise<Opened> {
    const seconds = this.#seconds;
    const sentence = `it was not loaded within ${seconds} s, the limit "module_seconds" of the configuration`;
    return withoutEndlessLoop(seconds * 1000, (warn) => {
      warn(heldBy(place, seconds));
      return inTime(this.#context.host.clock, seconds, sentence, load);
    });
  }

  get #seconds(): number {
    return this.#context.settings.limits?.module_seconds ?? MODULE_SECONDS;
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

  /** The plugin that a package is; its commands stand in the place of its exports. */
  async #plugin(name: string): Promise<LoadedPlugin | undefined> {
    const { folders, host } = this.#context;
    const home = packageOf(name) === name ? await homeOf(name, folders.here, host.files) : undefined;
    return home === undefined ? undefined : await loadPlugin({ ...host, seconds: this.#seconds }, name, home);
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

/** A file as plans name it: its path from the root, with `/`, beginning with `./` or `../`. */
function placeOf(path: string, root: string): string {
  const steps = relative(root, path).split(sep).join('/');
  return steps.startsWith('../') || isAbsolute(steps) ? steps : `./${steps}`;
}

function isPath(place: string): boolean {
  return place.startsWith('./') || place.startsWith('../') || isAbsolute(place);
}
