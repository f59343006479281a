import type { Catalogue } from '#compiler/catalogue.ts';
import type { CompileContext } from '#compiler/context.ts';
import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isList, type JsonObject } from '#schemas/types/json.ts';

import { isControlWord } from '../1-read/control-forms.ts';
import type { ActionFile, Step } from '../3-parse/ast.ts';
import { isFailureWord } from '../3-parse/failure-block.ts';
import { stepRoute, valueAt } from '../3-parse/routes.ts';

import { commandLabel } from './bind.ts';
import { folderOf } from './files.ts';
import { asExpectation, isAssertionStep } from './meant/foreign/assertion-step.ts';
import { asRetry, secondsWaited } from './meant/fixed-wait.ts';
import { isAddressAlone, requestMeant } from './meant/request-line.ts';
import { programMeant, type ProgramMeant } from './meant/shell-words.ts';
import { functionSignature, moduleSignature } from './module-call.ts';
import { Modules } from './modules.ts';
import { signatureOf, type Signature } from './signature.ts';

/** Looks commands up, once a name: a file of a hundred thousand steps names a handful. */
export class Commands {
  readonly #file: ActionFile;
  readonly #catalogue: Catalogue;
  readonly #report: Report;
  readonly #functions: ReadonlySet<string>;
  readonly #known = new Map<string, Signature | undefined>();
  /** Near names are worth their search only so often. */
  readonly #near = new Map<string, readonly string[]>();
  /** Functions of modules, by module and name. */
  readonly #ofModules = new Map<string, Signature>();
  readonly modules: Modules;

  constructor(file: ActionFile, context: CompileContext) {
    this.#file = file;
    this.#catalogue = context.catalogue;
    this.#report = context.report;
    this.#functions = context.options.functions ?? new Set();
    this.modules = new Modules(folderOf(file.document.source, context), context);
  }

  /** Makes the commands of the modules known that `meta.modules` lists. */
  async begin(): Promise<void> {
    const { document, meta } = this.#file;
    for (const [index, name] of (meta.modules ?? []).entries()) {
      await this.modules.add(
        name,
        { source: document.source, route: ['meta', 'modules', index], part: 'value' },
        false,
      );
    }
  }

  /** Whether a list may call something by this name. */
  has(name: string): boolean {
    return this.#catalogue.has(name) || this.#functions.has(name) || this.modules.owner(name) !== undefined;
  }

  /** Every command that was looked up and is there. */
  get found(): readonly Signature[] {
    return [...this.#known.values()].filter((signature) => signature !== undefined);
  }

  /** Loads what the names of these steps need. */
  async prepare(steps: readonly Step[]): Promise<void> {
    const fresh = this.#unknownNames(steps);
    if (fresh.size === 0) return;
    await this.#catalogue.prepare(fresh);
    for (const name of fresh) {
      const info = this.#catalogue.get(name);
      const own = this.#functions.has(name) ? functionSignature(name) : undefined;
      this.#known.set(name, info === undefined ? own : signatureOf(info));
    }
  }

  #unknownNames(steps: readonly Step[]): ReadonlySet<string> {
    const fresh = new Set<string>();
    // By index: a loop over a long list runs for the most part before it is optimised.
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index];
      if (step !== undefined && step.control === undefined && !this.#known.has(step.command)) fresh.add(step.command);
    }
    return fresh;
  }

  /** Undefined for an unknown name, which is then reported. */
  signature(step: Step): Signature | undefined {
    return this.#known.get(step.command) ?? this.#ofModule(step);
  }

  /** No function of a module stands in place of a command: those are asked for first. */
  #ofModule(step: Step): Signature | undefined {
    const owner = this.modules.owner(step.command);
    if (owner === undefined) return this.#unknown(step);
    const { module, name } = owner;
    const key = `${module.place}#${name}`;
    const known = this.#ofModules.get(key);
    if (known !== undefined) return known;
    if (module.exports !== undefined && !module.exports.includes(name)) {
      const [nearest, fixes] = this.#nearest(step, didYouMean(step.command, this.modules.commands));
      this.#report(
        d.moduleCommandUnknown({
          at: commandLabel(step, this.#file.document),
          module: module.place,
          function: name,
          nearest,
          fixes,
        }),
      );
      return undefined;
    }
    const signature = moduleSignature(step.command, module, name);
    this.#ofModules.set(key, signature);
    return signature;
  }

  #unknown(step: Step): undefined {
    const { command } = step;
    if (isControlWord(command))
      return void this.#report(d.formNotObject({ at: commandLabel(step, this.#file.document), word: command }));
    if (this.modules.isIncomplete && !/^(?:WR|AT|FA)_/.test(command)) return;
    const [, first = ''] = /^(\w+)[:\s]/.exec(command) ?? [];
    if (this.#catalogue.has(first))
      return void this.#report(d.colonMissing({ at: commandLabel(step, this.#file.document), command: first }));
    if (isFailureWord(command))
      return void this.#report(d.failureBlock({ at: commandLabel(step, this.#file.document), key: command }));
    if (isAssertionStep(command)) {
      const fixes = asExpectation(step, this.#file.document.value, (name) => this.has(name));
      return void this.#report(
        d.assertionAsStep({ at: commandLabel(step, this.#file.document), name: command, fixes }),
      );
    }
    const request = requestMeant(step);
    if (request !== undefined) return void this.#request(step, request);
    const program = programMeant(step);
    if (program !== undefined) return void this.#program(step, program);
    const seconds = secondsWaited(step);
    if (seconds !== undefined) {
      const fixes = asRetry(step, seconds, this.#file.document.value, (name) => this.has(name));
      return void this.#report(d.fixedWait({ at: commandLabel(step, this.#file.document), name: command, fixes }));
    }
    if (isAddressAlone(step)) return void this.#unnamed(step, ['WR_to_url', 'WR_pw_to_url']);
    if (!this.#near.has(command) && this.#near.size < 100)
      this.#near.set(
        command,
        [...didYouMean(command, this.modules.commands), ...this.#catalogue.didYouMean(command)].slice(0, 3),
      );
    this.#unnamed(step, this.#near.get(command) ?? []);
  }

  #unnamed(step: Step, near: readonly string[]): void {
    const [nearest, fixes] = this.#nearest(step, near);
    this.#report(d.unknownCommand({ at: commandLabel(step, this.#file.document), name: step.command, nearest, fixes }));
  }

  /** `GET: https://…`, as files of requests have it. */
  #request(step: Step, value: JsonObject): void {
    const operations = [{ kind: 'replace', route: stepRoute(step), value }] as const;
    const isFree = step.options === undefined && step.list.kind !== 'graph';
    this.#report(
      d.unknownCommand({
        at: commandLabel(step, this.#file.document),
        name: step.command,
        nearest: 'AT_test_api_method',
        fixes: isFree ? [{ title: 'write it as AT_test_api_method', safety: 'unsafe', operations }] : [],
      }),
    );
  }

  /** `copy: [a, b]`, as a shell has it. */
  #program(step: Step, { command, parameters }: ProgramMeant): void {
    const at = commandLabel(step, this.#file.document);
    const { route } = at;
    const value = { [command]: parameters };
    const operations =
      step.form === 'object'
        ? ([
            { kind: 'rename-key', route, key: command },
            { kind: 'replace', route, value: parameters },
          ] as const)
        : ([{ kind: 'replace', route: stepRoute(step), value }] as const);
    const fix = {
      title: `write it as ${command}: ${JSON.stringify(parameters)}`,
      safety: 'unsafe',
      operations,
    } as const;
    this.#report(d.unknownCommand({ at, name: step.command, nearest: command, fixes: [fix] }));
  }

  #nearest(step: Step, names: readonly string[]): readonly [nearest: string | undefined, fixes: readonly Fix[]] {
    const [nearest] = names;
    if (nearest === undefined) return [undefined, []];
    return [names.join('" or "'), [this.#rename(step, nearest, isSlip(step.command, names))]];
  }

  #rename(step: Step, command: string, isSafe: boolean): Fix {
    const { route, part } = commandLabel(step, this.#file.document);
    const operation =
      part === 'key'
        ? ({ kind: 'rename-key', route, key: command } as const)
        : ({ kind: 'replace', route, value: command } as const);
    const loose = this.#inOneList(step);
    const title = `replace with "${command}"${loose.length > 0 ? ', its parameters as one list' : ''}`;
    return { title, safety: isSafe ? 'safe' : 'unsafe', operations: [operation, ...loose] };
  }

  /** Parameters that stand beside the name, and in no list of their own. */
  #inOneList(step: Step): readonly TreeOperation[] {
    const route = stepRoute(step);
    const written = step.form === 'array' ? (valueAt(this.#file.document.value, route) ?? null) : null;
    if (!isList(written) || written.length < 2 || (typeof written[1] === 'object' && written[1] !== null)) return [];
    return [
      { kind: 'replace', route: [...route, 1], value: written.slice(1) },
      ...written.slice(2).map((_, index) => ({ kind: 'remove' as const, route: [...route, index + 2] })),
    ];
  }
}
