/// <reference lib="esnext.disposable" preserve="true" />
import { resolve } from 'node:path';

import { catalogue } from '#compiler/catalogue.ts';
import { isBelow } from '#compiler/reader.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { AccessList } from '#runtime/servers/access-list.ts';
import type {
  AssistantCalls,
  AssistantFile,
  AssistantOptions,
  AssistantRecords,
  AssistantRun,
} from '#runtime/servers/mcp/assistant-calls.ts';
import { explanations } from '#schemas/generated/explain.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Plan } from '#schemas/types/plan.ts';
import { stepResult } from '#stdlib/files/step-results.ts';

import { servedCommands } from './action-calls.ts';
import { ListThreads } from '../lists/list-threads.ts';
import { maskFor } from '../mask.ts';
import type { Project } from '../project.ts';
import { runSettings } from '../run/settings.ts';
import { openUnit, type OpenUnit } from '../unit-session.ts';
import { changesOutside } from './changes.ts';
import { confinedHost } from './confined-host.ts';
import type { FileWork } from './files.ts';

const RUN_FILES = 'FA_execute_files';

/** Surroundings and permissions of an assistant in a project. */
export interface AssistantAround {
  readonly project: Project;
  readonly access: AccessList;
  /** Gates that whoever starts the server opens; all others are closed. */
  readonly gates?: Settings['gates'];
}

/**
 * The calls of an assistant: one unit for all of them, which is opened by the first. One that is cancelled ends alone.
 */
export function assistantCalls(around: AssistantAround): AssistantCalls {
  return new Assistant(around);
}

class Assistant implements AssistantCalls {
  readonly #around: AssistantAround;
  #unit: Promise<OpenUnit> | undefined;
  #masked: (text: string) => string;
  /** Compile what is long, so that the calls of others go on. */
  readonly #threads = new ListThreads();

  constructor(around: AssistantAround) {
    this.#around = around;
    const mask = maskFor([around.project], []);
    this.#masked = (text) => mask.text(text);
  }

  async commands(): ReturnType<AssistantCalls['commands']> {
    return (await servedCommands()).filter(({ name }) => this.#allows(name));
  }

  async run(actions: Json, { mayChange, signal }: AssistantOptions): Promise<AssistantRun> {
    signal.throwIfAborted();
    const list = await (await this.#open()).list(actions, signal);
    const isDry = !mayChange && (await changesOutside(list.commands));
    const steps = await list.run({ dry: isDry, signal });
    return { isDry, results: steps.map(stepResult) as unknown as readonly Json[] };
  }

  read(command: string, params: JsonObject): Promise<Json> {
    if (!this.#allows(command)) throw fail.actionNotPermitted({ action: command });
    return this.#call(command, params) as Promise<Json>;
  }

  async records(): Promise<AssistantRecords> {
    const unit = await this.#open();
    return unit.within('svc_get_records', ['requestLog'], ({ requestLog }) => {
      const { passed, failed } = requestLog.exchanges();
      return { successes: passed, failures: failed as unknown as readonly JsonObject[] };
    });
  }

  async clearRecords(): Promise<void> {
    const unit = await this.#open();
    await unit.within('svc_clear_records', ['requestLog'], ({ requestLog }) => requestLog.clear());
  }

  check(file: AssistantFile, signal: AbortSignal): Promise<Json> {
    return this.#answer('check', file, signal);
  }

  lint(file: AssistantFile, signal: AbortSignal): Promise<Json> {
    return this.#answer('lint', file, signal);
  }

  async explain(name: string): Promise<Json> {
    const found = explanations.find(({ code, slug }) => code === name.toUpperCase() || slug === name);
    if (found) return found as unknown as Json;
    await catalogue.prepare([name]);
    return (catalogue.get(name) as unknown as Json | undefined) ?? null;
  }

  async runFile(path: string, { mayChange, signal }: AssistantOptions): Promise<AssistantRun> {
    const file = this.inside(path);
    const plan = (await this.#answer('plan', { path }, signal)) as unknown as Plan;
    const names = Object.keys(plan.commands);
    const refused = names.find((name) => !this.#allows(name));
    if (refused !== undefined) throw fail.actionNotPermitted({ action: refused });
    if (!mayChange && (await changesOutside(names))) return { isDry: true, results: [plan as unknown as Json] };
    const results = (await this.#call(RUN_FILES, { execute_files_list: [file] }, signal)) as readonly JsonObject[];
    return { isDry: false, results: results.flatMap((each) => Object.values(each)) };
  }

  async report(path: string): Promise<Json> {
    return JSON.parse(
      new TextDecoder().decode(asBytes(await this.#around.project.reader.read(this.inside(path)))),
    ) as Json;
  }

  inside(path: string): string {
    const file = resolve(this.#around.project.root, path);
    if (!isBelow(file, this.#around.project.root)) throw fail.inputOutside({ path });
    return file;
  }

  masked(text: string): string {
    return this.#masked(text);
  }

  async close(): Promise<void> {
    const unit = await this.#unit;
    this.#unit = undefined;
    await unit?.close();
    this.#threads.close();
  }

  readonly #allows = (command: string): boolean => this.#around.access.allows(command);

  #answer(purpose: FileWork['purpose'], file: AssistantFile, signal: AbortSignal): Promise<Json> {
    const { root, host } = this.#around.project;
    return this.#threads.answer({ purpose, root, file }, host, signal);
  }

  async #call(command: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    return (await this.#open()).call(command, params, signal);
  }

  #open(): Promise<OpenUnit> {
    return (this.#unit ??= this.#opened());
  }

  async #opened(): Promise<OpenUnit> {
    const { project, gates } = this.#around;
    const { host, root, configuration } = project;
    const unit = await openUnit({
      ...confinedHost(host, foldersOf(project)),
      root,
      settings: { ...runSettings(configuration.settings, {}, {}), gates: { ...remoteGates, ...gates } },
      unit: { source: 'call' },
      allows: (command) => command === RUN_FILES || this.#allows(command),
      common: { threads: this.#threads },
    });
    this.#masked = (text) => unit.masked(text);
    return unit;
  }
}

/**
 * Folders that the configuration lets action files of the project reach. That of secrets is none of them: they are read
 * for `${file:NAME}`, and masked, but a command would yield them as they are.
 */
function foldersOf({ root, compileOptions: { outside = [] } }: Project): readonly string[] {
  return [root, ...(outside === 'anywhere' ? [] : outside)];
}

function asBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
