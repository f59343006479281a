import { catalogue } from '#compiler/catalogue.ts';
import { openUnit } from '#compiler/engine/unit-session.ts';
import { callModule } from '#runtime/adapters/modules/call-module.ts';
import type { StepEnd } from '#runtime/kernel/contract.ts';
import type { Reporter, RunEvent } from '#runtime/kernel/events.ts';
import type { Evidence, Settings } from '#runtime/kernel/ports.ts';
import type { UnitRun } from '#runtime/kernel/units/unit-run.ts';
import * as failures from '#schemas/generated/failures.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Node, Unit, Value } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { moduleCall } from './module-calls.ts';

export interface SessionOptions {
  readonly host?: Host;
  readonly settings?: Partial<Settings>;
  readonly variables?: Readonly<Record<string, Json>>;
  /** `modules`: their functions can be called by the names of their commands; parameters are keywords. */
  readonly unit?: Partial<Unit>;
  /** The project root; also the folder of the action file. */
  readonly root?: string;
}

/** Step options that a call may have beside its parameters. */
export type StepOptions = Partial<Pick<Node, 'timeout_s' | 'retry' | 'status_judged' | 'id' | 'name' | 'expect'>>;

/** One unit in which commands are called one after the other, as a run would call them. */
export interface Session extends AsyncDisposable {
  /** The result, before it is made fit for a record; throws the failure. Defaults are filled from the declaration. */
  call(name: string, params?: Readonly<Record<string, unknown>>, options?: StepOptions): Promise<unknown>;
  /** The same, as the step ended: nothing is thrown. */
  step(name: string, params?: Readonly<Record<string, unknown>>, options?: StepOptions): Promise<StepEnd>;
  /** One record for each call, and for each step of its lists. */
  readonly records: readonly RunRecord[];
  /** Everything that was told while the calls ran. */
  readonly events: readonly RunEvent[];
  /** Evidence that the last call attached. */
  readonly evidence: readonly Evidence[];
  readonly work: UnitRun;
  /** Cancels what runs, as an interrupt does. */
  stop(reason: string): void;
  /** Lets go of everything that the calls opened. */
  end(): Promise<void>;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export async function session(options: SessionOptions = {}): Promise<Session> {
  const evidence: Evidence[] = [];
  const events: RunEvent[] = [];
  const reporter: Reporter = {
    event: (event) => {
      events.push(event);
      if (event.kind === 'step-finished') evidence.splice(0, evidence.length, ...event.evidence);
    },
  };
  const unit = await openUnit({
    ...options,
    unit: { source: 'session.yaml', ...options.unit },
    reporters: [reporter],
    workers: 8,
    keepsRecords: true,
  });
  let count = 0;

  const step: Session['step'] = async (name, params = {}, stepOptions = {}) => {
    const id = `session#${count++}`;
    const ofModule = catalogue.has(name) ? undefined : moduleCall(name, unit.work.unit.modules);
    if (ofModule) {
      unit.define(name, ofModule.facts, callModule);
      const args = { ...ofModule.args, keywords: { lit: params as JsonObject } };
      return await unit.step({ id, command: name, args, ...stepOptions });
    }
    await learn(name, params);
    const node = toNode(name, params, id, stepOptions);
    const findings = catalogue.validator(name)?.(checkable(node, params)) ?? [];
    if (findings.length > 0) throw failures.argumentsUnfit({ command: name, reason: JSON.stringify(findings) });
    return await unit.step(node);
  };
  return {
    step,
    call: async (name, params, stepOptions) => {
      const ended = await step(name, params, stepOptions);
      if (ended.failure) throw ended.failure;
      return ended.result;
    },
    records: unit.records,
    events,
    evidence,
    work: unit.work,
    stop: (reason) => unit.stop(reason),
    end: () => unit.close(),
    [Symbol.asyncDispose]: () => unit.close(),
  };
}

/** Loads the declarations of a command and of those in its lists. */
async function learn(name: string, params: Readonly<Record<string, unknown>>): Promise<void> {
  await catalogue.prepare([name]);
  const info = declared(name);
  for (const [key, value] of Object.entries(params)) {
    if (!listOf(info, key)) continue;
    for (const action of actionsOf(value)) {
      await catalogue.prepare([nameOf(action)]);
      await learn(...namedCall(action));
    }
  }
}

function declared(name: string): CommandInfo {
  const info = catalogue.get(name);
  if (!info) throw new Error(`there is no command ${name}`);
  return info;
}

function toNode(name: string, params: Readonly<Record<string, unknown>>, id: string, options: StepOptions = {}): Node {
  const info = declared(name);
  const args: Record<string, Value> = {};
  for (const param of info.params) if (param.default !== undefined) args[param.name] = { lit: param.default };
  for (const [key, value] of Object.entries(params)) {
    const target = info.params.find((param) => param.name === key || param.aliases?.includes(key))?.name ?? key;
    args[target] = listOf(info, key)
      ? { block: actionsOf(value).map((action, index) => nested(action, `${id}.${target}.${index}`)) }
      : { lit: value as Json };
  }
  return { id, command: name, args, ...options } satisfies Writable<Node>;
}

function nested(action: unknown, id: string): Node {
  const [name, params] = namedCall(action);
  return toNode(name, params, id);
}

/** Parameters as a validator sees them: lists as they were written. */
function checkable(node: Node, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(node.args).map(([name, value]) => [name, 'lit' in value ? value.lit : (params[name] ?? [])]),
  );
}

function listOf(info: CommandInfo, key: string): boolean {
  const param = info.params.find((known) => known.name === key || known.aliases?.includes(key));
  return param?.list === 'run' || param?.list === 'background';
}

function actionsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value === 'object' && value !== null) return actionsOf(Object.values(value).find(Array.isArray));
  return [];
}

function nameOf(action: unknown): string {
  return String(Array.isArray(action) ? action[0] : action);
}

/** A call whose declaration is loaded, with its parameters by name. */
function namedCall(action: unknown): [name: string, params: Readonly<Record<string, unknown>>] {
  const [name, params] = [nameOf(action), Array.isArray(action) ? (action[1] as unknown) : undefined];
  if (Array.isArray(params)) {
    const names = declared(name).params.map((param) => param.name);
    return [name, Object.fromEntries(params.map((value, index) => [names[index] ?? String(index), value as unknown]))];
  }
  return [name, (params ?? {}) as Readonly<Record<string, unknown>>];
}
