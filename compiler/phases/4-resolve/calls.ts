import type { CompileContext } from '#compiler/context.ts';
import type { Document } from '#grammar/document/document.ts';
import { hasReference, type ParsedText } from '#grammar/reference/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { ActionFile, Step, StepList, StepOptions } from '../3-parse/ast.ts';
import type { Reading } from '../3-parse/reading.ts';

import { reportKeysBeside } from './beside.ts';
import { bind, type Binding } from './bind.ts';
import { readBlock, readBranches, readControlBlock } from './blocks.ts';
import { Commands } from './commands.ts';
import { lacksBlock } from './definitions.ts';
import { controlSignatures } from './control-signature.ts';
import { bindDeclared, bindModule } from './module-call.ts';
import { argumentRoute, type Call, type CallList, type OpenUsed, type UsedFile, type WrittenText } from './resolved.ts';
import type { Signature } from './signature.ts';
import type { Tokens } from './tokens.ts';

/** Makes calls of the steps of one file: names looked up, arguments named, steps inside read. */
export class Calls {
  readonly #file: ActionFile;
  readonly #configured: Readonly<Record<string, JsonObject>>;
  readonly commands: Commands;
  readonly #tokens: Tokens;
  readonly #report: Report;
  readonly #use: OpenUsed;
  /** Files that steps use. */
  readonly uses: UsedFile[] = [];
  readonly #reading: Reading;
  readonly #binding: Binding;

  constructor(
    file: ActionFile,
    context: CompileContext,
    tokens: Tokens,
    { budget, use }: { readonly budget: Reading['budget']; readonly use: OpenUsed },
  ) {
    const { report, options } = context;
    this.#file = file;
    this.#configured = options.defaults ?? {};
    this.commands = new Commands(file, context);
    this.#tokens = tokens;
    this.#report = report;
    this.#use = use;
    this.#binding = { document: file.document, report };
    this.#reading = {
      budget,
      source: file.document.source,
      report,
      isCommand: (name) => this.commands.has(name),
      hasModules: file.meta.modules !== undefined,
    };
  }

  get #document(): Document {
    return this.#file.document;
  }

  async list(list: StepList): Promise<CallList> {
    await this.commands.prepare(list.steps);
    const made = new MadeCalls(list.incomplete);
    for (
      let next = this.#plainFrom(list.steps, 0, made);
      next !== undefined;
      next = this.#plainFrom(list.steps, next.index + 1, made)
    ) {
      made.add(await this.#withMore(next.call));
      made.incomplete ||= lacksBlock(next.call);
    }
    const { calls, named, holders, incomplete, hasDependencies } = made;
    return { list, calls, incomplete, named, holders, hasDependencies };
  }

  /**
   * Makes calls until the first that takes more, which it yields. Apart from `list`, because a loop of an asynchronous
   * function is never optimised while it runs.
   */
  #plainFrom(
    steps: readonly Step[],
    from: number,
    made: MadeCalls,
  ): { readonly call: Call; readonly index: number } | undefined {
    for (let index = from; index < steps.length; index += 1) {
      const step = steps[index];
      const call = step === undefined ? undefined : this.#call(step);
      if (call === undefined) made.incomplete = true;
      else if (!call.signature.isPlain) return { call, index };
      else made.add(call);
    }
    return undefined;
  }

  #call(step: Step): Call | undefined {
    const signature = step.control === undefined ? this.commands.signature(step) : controlSignatures.get(step.command);
    if (signature === undefined) return undefined;
    // Parameters at the wrong indent are reported once; nothing more is known of the step then.
    if (step.beside !== undefined && reportKeysBeside(step, signature, this.#document, this.#report)) return undefined;
    if (step.control?.condition !== undefined) this.#tokens.noteCondition(step.control.condition);
    const defaults = step.control === undefined ? this.#defaultsOf(step.command) : undefined;
    const args = this.#bound(step, signature, defaults);
    if (args === undefined) return undefined;
    if (step.options !== undefined) this.#noteOptions(step.options);
    const path = extractedPath(signature, args);
    if (path !== undefined) this.#tokens.notePath(path);
    return { step, signature, args, texts: this.#noteTexts(args, signature), blocks: undefined, adds: undefined };
  }

  /** Arguments by name, or those of a call of a module; undefined where they cannot be bound. */
  #bound(step: Step, signature: Signature, defaults: JsonObject | undefined): JsonObject | undefined {
    const { module, takes } = signature;
    if (module !== undefined && takes === undefined) return bindModule(step, module, defaults);
    const bound = bind(step, takes ?? signature, defaults, this.#binding);
    return module === undefined || bound === undefined ? bound : bindDeclared(module, bound);
  }

  /** Defaults of a command: those of the file over those of the configuration. */
  #defaultsOf(command: string): JsonObject | undefined {
    const own = ownValue(this.#file.meta.defaults, command);
    const configured = ownValue(this.#configured, command);
    return own === undefined || configured === undefined ? (own ?? configured) : { ...configured, ...own };
  }

  #noteOptions({ name, when, expect, save_as }: StepOptions): void {
    if (name !== undefined) this.#tokens.note(name);
    if (when !== undefined) this.#tokens.noteCondition(when);
    expect?.forEach((condition) => condition !== undefined && this.#tokens.noteCondition(condition));
    save_as?.forEach((capture) => capture?.path !== undefined && this.#tokens.notePath(capture.path));
  }

  #noteTexts(args: JsonObject, { parameters, untouched }: Signature): readonly WrittenText[] | undefined {
    let found: WrittenText[] | undefined;
    for (const name in args) {
      // A name that is misspelt may be that of a text for later.
      if (untouched !== undefined && (untouched.has(name) || !parameters.has(name))) continue;
      const value = args[name];
      if (typeof value === 'string') {
        const parsed = this.#tokens.note(value);
        if (parsed !== undefined) found = withText(found, name, TOP, value, parsed);
      } else if (typeof value === 'object' && value !== null) found = this.#noteInside(value, name, TOP, found);
    }
    return found;
  }

  #noteInside(
    value: Json,
    parameter: string,
    inside: Route,
    found: WrittenText[] | undefined,
  ): WrittenText[] | undefined {
    if (typeof value === 'string') {
      const parsed = this.#tokens.note(value);
      return parsed === undefined ? found : withText(found, parameter, inside, value, parsed);
    }
    if (typeof value !== 'object' || value === null) return found;
    let all = found;
    if (isList(value)) {
      for (let index = 0; index < value.length; index += 1) {
        const item = value[index] ?? null;
        if (typeof item === 'string' ? item.includes('{') : typeof item === 'object')
          all = this.#noteInside(item, parameter, [...inside, index], all);
      }
      return all;
    }
    for (const key in value) {
      const item = value[key] ?? null;
      if (typeof item === 'string' ? item.includes('{') : typeof item === 'object')
        all = this.#noteInside(item, parameter, [...inside, key], all);
    }
    return all;
  }

  async #withMore(call: Call): Promise<Call> {
    if (call.signature.control?.word === 'use') return this.#withUsed(call);
    const whole = call.signature.blocks.length === 0 ? call : await this.#withBlocks(call);
    const parameter = call.signature.info.modules?.adds;
    const name = parameter === undefined ? undefined : call.args[parameter];
    // A name that a reference completes is known at run time only: no step can call what it adds.
    if (parameter === undefined || typeof name !== 'string' || hasReference(name)) return whole;
    const at = {
      source: this.#document.source,
      route: argumentRoute(call, parameter, this.#document),
      part: 'value',
    } as const;
    return { ...whole, adds: await this.commands.modules.add(name, at, true) };
  }

  /** The steps that parameters hold are compiled like those of the body. */
  async #withBlocks(call: Call): Promise<Call> {
    if (call.signature.control?.word === 'parallel') return this.#withBranches(call);
    const blocks = new Map<string, CallList>();
    for (const parameter of call.signature.blocks) {
      const value = call.args[parameter.name];
      if (value === undefined) continue;
      const read = call.signature.control === undefined ? readBlock : readControlBlock;
      const list = read(value, parameter, argumentRoute(call, parameter.name, this.#document), this.#reading);
      if (list !== undefined) blocks.set(parameter.name, await this.list(list));
      if (value !== null) this.#noSwitches(call);
    }
    return blocks.size === 0 ? call : { ...call, blocks };
  }

  /** A file that cannot be read leaves a step of which nothing is known. */
  async #withUsed(call: Call): Promise<Call> {
    const at = {
      source: this.#document.source,
      route: argumentRoute(call, 'use', this.#document),
      part: 'value',
    } as const;
    const used = await this.#use(call.step.control?.use ?? '', at);
    if (used === undefined) return call;
    this.uses.push(used);
    this.#reading.budget.left -= used.count;
    if (this.#reading.budget.left < 0) this.#report(d.tooManyActions({ at, limit: this.#reading.budget.most }));
    return { ...call, used };
  }

  /** The lists of `parallel`, by `parallel.<branch>`. */
  async #withBranches(call: Call): Promise<Call> {
    const route = argumentRoute(call, 'parallel', this.#document);
    const blocks = new Map<string, CallList>();
    for (const { name, list } of readBranches(call.args['parallel'] ?? null, route, this.#reading))
      blocks.set(name, await this.list(list));
    return blocks.size === 0 ? call : { ...call, blocks };
  }

  /**
   * Runners of lists that are data may skip checks and filling; steps that are compiled cannot
   * (`compiler/language/steps.md`).
   */
  #noSwitches(call: Call): void {
    for (const parameter of LIST_SWITCHES) {
      if (call.args[parameter] !== false) continue;
      const at = {
        source: this.#document.source,
        route: argumentRoute(call, parameter, this.#document),
        part: 'value',
      } as const;
      this.#report(d.listSwitchWithoutEffect({ at, parameter }));
    }
  }
}

/** The calls of a list as they come, and those of them that later questions are about. */
class MadeCalls {
  readonly calls: Call[] = [];
  readonly named: Call[] = [];
  readonly holders: Call[] = [];
  incomplete: boolean;
  hasDependencies = false;

  constructor(incomplete: boolean) {
    this.incomplete = incomplete;
  }

  add(call: Call): void {
    const { options } = call.step;
    this.calls.push(call);
    if (call.blocks !== undefined) this.holders.push(call);
    if (options === undefined) return;
    if (options.id !== undefined) this.named.push(call);
    if (options.depends_on !== undefined) this.hasDependencies = true;
  }
}

/** The path that a call takes out of a value, where it is written out. */
export function extractedPath({ info }: Signature, args: JsonObject): string | undefined {
  const path = args[info.variables?.extracts?.path ?? ''];
  return typeof path === 'string' && !hasReference(path) ? path : undefined;
}

/** Most calls hold one text with references: its list has no room for more. */
function withText(
  found: WrittenText[] | undefined,
  parameter: string,
  inside: Route,
  text: string,
  parsed: ParsedText | 'hard',
): WrittenText[] {
  const written: WrittenText = { parameter, inside, text, parsed: parsed === 'hard' ? undefined : parsed };
  if (found === undefined) return [written];
  found.push(written);
  return found;
}

const TOP: Route = [];
const LIST_SWITCHES: readonly string[] = ['substitute', 'validate_first'];

/** Whether a parameter would turn off what compiled steps always get. */
export function isListSwitch(parameter: string | number | undefined): boolean {
  return typeof parameter === 'string' && LIST_SWITCHES.includes(parameter);
}

function ownValue(record: Readonly<Record<string, JsonObject>> | undefined, key: string): JsonObject | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
