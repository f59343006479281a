import type { Catalogue } from '#compiler/catalogue.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { ActionFile, Step, StepList, StepOptions } from '../1-parse/ast.ts';
import type { Reading } from '../1-parse/reading.ts';

import { bind } from './bind.ts';
import { readBlock } from './blocks.ts';
import { Commands } from './commands.ts';
import { argumentRoute, type Call, type CallList } from './resolved.ts';
import type { Signature } from './signature.ts';
import type { Tokens } from './tokens.ts';

/** Makes calls of the steps of one file: names looked up, arguments named, steps inside read. */
export class Calls {
  readonly #file: ActionFile;
  readonly #commands: Commands;
  readonly #tokens: Tokens;
  readonly #report: Report;
  readonly #reading: Reading;

  constructor(file: ActionFile, catalogue: Catalogue, tokens: Tokens, report: Report, reading: Omit<Reading, 'source' | 'report'>) {
    this.#file = file;
    this.#commands = new Commands(file, catalogue, report);
    this.#tokens = tokens;
    this.#report = report;
    this.#reading = { ...reading, source: file.document.source, report };
  }

  get #document(): Document {
    return this.#file.document;
  }

  async list(list: StepList): Promise<CallList> {
    await this.#commands.prepare(list.steps);
    const calls: Call[] = [];
    let incomplete = list.incomplete;
    for (const step of list.steps) {
      const call = this.#call(step);
      if (call === undefined) incomplete = true;
      else calls.push(call.signature.blocks.length === 0 ? call : await this.#withBlocks(call));
    }
    return { list, calls, incomplete };
  }

  #call(step: Step): Call | undefined {
    const signature = this.#commands.signature(step);
    if (signature === undefined) return undefined;
    const defaults = this.#file.meta.defaults;
    const args = bind(step, signature, {
      document: this.#document,
      report: this.#report,
      defaults: defaults !== undefined && Object.hasOwn(defaults, step.command) ? defaults[step.command] : undefined,
    });
    if (args === undefined) return undefined;
    if (step.options !== undefined) this.#noteConditions(step.options);
    return { step, signature, args, hasReferences: this.#noteTexts(args, signature), blocks: undefined };
  }

  #noteConditions({ when, expect }: StepOptions): void {
    if (when !== undefined) this.#tokens.noteCondition(when);
    for (const condition of expect ?? []) if (condition !== undefined) this.#tokens.noteCondition(condition);
  }

  #noteTexts(args: JsonObject, signature: Signature): boolean {
    const hasSpecial = signature.opaque.size > 0 || signature.blocks.length > 0;
    let found = false;
    for (const name in args) {
      if (hasSpecial && (signature.opaque.has(name) || signature.blocks.some((block) => block.name === name))) continue;
      if (this.#noteText(args[name] ?? null)) found = true;
    }
    return found;
  }

  #noteText(value: Json): boolean {
    if (typeof value === 'string') return this.#tokens.note(value);
    if (typeof value !== 'object' || value === null) return false;
    let found = false;
    if (isList(value)) for (const item of value) found = this.#noteText(item) || found;
    else for (const key in value) found = this.#noteText(value[key] ?? null) || found;
    return found;
  }

  /** The steps that parameters hold are compiled like those of the body. */
  async #withBlocks(call: Call): Promise<Call> {
    const blocks = new Map<string, CallList>();
    for (const parameter of call.signature.blocks) {
      const value = call.args[parameter.name];
      if (value === undefined) continue;
      const list = readBlock(value, parameter, argumentRoute(call, parameter.name, this.#document), this.#reading);
      if (list !== undefined) blocks.set(parameter.name, await this.list(list));
      if (value !== null) this.#noSwitches(call);
    }
    return blocks.size === 0 ? call : { ...call, blocks };
  }

  /** Runners of lists that are data may skip checks and filling; steps that are compiled cannot (LANGUAGE §2). */
  #noSwitches(call: Call): void {
    for (const parameter of ['substitute', 'validate_first']) {
      if (call.args[parameter] !== false) continue;
      const at = { source: this.#document.source, route: argumentRoute(call, parameter, this.#document), part: 'value' } as const;
      this.#report(d.listSwitchWithoutEffect({ at, parameter }));
    }
  }
}
