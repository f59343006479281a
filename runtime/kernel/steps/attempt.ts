import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import { isBlock } from '#schemas/types/fold-value.ts';
import type { Files } from '#schemas/types/host.ts';
import type { ControlNode, Node, Value } from '#schemas/types/plan.ts';

import type { Cancellation } from '../cancellation.ts';
import type { AttemptView, Call, CommandView, Frame, ReleasableHold } from '../contract.ts';
import { isPromise } from '../is-promise.ts';
import type { Implementation } from '../linked.ts';
import { notLinked } from '../not-linked.ts';
import { observedFiles } from './observed-files.ts';
import { StepReferences } from './step-references.ts';
import type { Block, StepInfo } from '../ports.ts';
import { StepContext } from './step-context.ts';
import { StepVariables } from './step-variables.ts';
import { untilCancelled, type Cancelled } from './until-cancelled.ts';
import type { Filling } from '../values/surroundings.ts';
import { isNegative, verdictFailure, withVerdict } from './verdict.ts';

/** One attempt of a step: fills the arguments, calls the command, judges its result. */
export class Attempt implements AttemptView {
  readonly node: Node;
  readonly frame: Frame;
  readonly use: CommandView;
  readonly number: number;
  readonly cancel: Cancellation;
  readonly call: Call = { abandoned: false, evidence: [] };
  /** Arguments of the command's call; undefined until then. */
  args: Readonly<Record<string, unknown>> | undefined;
  info: StepInfo | undefined;
  /** Result of the command, also where it was judged a failure. */
  value: unknown;
  /** Steps of its lists that failed, and the first of these failures. */
  nestedFailed = 0;
  firstNested: Failure | undefined;
  /** The step is over; what its command still does is done in the background. */
  ended = false;
  readonly hold: ReleasableHold | undefined;
  readonly #filling: Filling;
  readonly #deadline: number | undefined;

  /** `deadline`: when its time is over, by the monotonic clock. */
  constructor(
    step: {
      node: Node;
      frame: Frame;
      use: CommandView;
      filling: Filling;
      deadline?: number | undefined;
      hold?: ReleasableHold | undefined;
    },
    number: number,
    cancel: Cancellation,
  ) {
    this.node = step.node;
    this.frame = step.frame;
    this.use = step.use;
    this.#filling = step.filling;
    this.#deadline = step.deadline;
    this.hold = step.hold;
    this.number = number;
    this.cancel = cancel;
  }

  /** Throws or rejects where the attempt fails. */
  run(): void | Promise<void> {
    const { implementation } = this.use;
    if (!implementation) return this.#runWhenReady();
    const args = this.#fill();
    return this.#filling.waiting ? this.#runWhenReady() : this.#run(implementation, args);
  }

  async #runWhenReady(): Promise<void> {
    const implementation = await untilCancelled(this.use.open(), this.cancel, this.frame.world.clock);
    let args = this.#fill();
    for (let waiting = this.#filling.waiting; waiting; waiting = this.#filling.waiting) {
      this.#filling.waiting = undefined;
      await Promise.all(waiting);
      args = this.#fill();
    }
    await this.#run(implementation, args);
  }

  #fill(): Record<string, unknown> {
    const args: Record<string, unknown> = {};
    const { args: values } = this.node;
    for (const name in values) {
      const value = values[name];
      if (value !== undefined) args[name] = 'lit' in value ? value.lit : this.#fillOne(value);
    }
    return args;
  }

  #fillOne(value: Value): unknown {
    if (isBlock(value)) return this.node.kind === undefined ? this.#makeBlock(value.block) : undefined;
    return this.frame.unit.run.values.fill(value, this.frame, this.#filling, this.#makeBlock);
  }

  readonly #makeBlock = (nodes: readonly Node[]): Block => this.frame.unit.run.blocks.block(nodes, this);

  #run(implementation: Implementation, args: Record<string, unknown>): void | Promise<void> {
    const { use, frame, node } = this;
    const { run } = frame.unit;
    this.args = args;
    if (!import.meta.withoutControls && node.kind !== undefined)
      return runControl(node, args, this, this.#filling).then((value) => this.#judge(value));
    if (!import.meta.withoutVariables && this.#filling.dynamic && use.validate) {
      const findings = use.validate(args).filter(({ instancePath }) => !isLiveAt(args, instancePath));
      if (findings.length > 0) throw fail.argumentsUnfit({ command: use.name, reason: run.values.unfit(findings) });
    }
    for (const name of use.facts.secret ?? []) this.#hide(args[name]);
    if (use.facts.gate) frame.unit.guard.require(use.facts.gate, use.name);
    if (use.outside) run.flush();
    const outcome = implementation(args, this.#context());
    if (!isPromise(outcome)) return this.#judge(outcome);
    // It takes time: what has ended so far must not be lost meanwhile.
    if (!use.outside) run.flush();
    const { call } = this;
    const cancelled: Cancelled = { onCancel: () => void (call.abandoned = true), lasting: () => call.lasting ?? [] };
    return untilCancelled(outcome, this.cancel, frame.world.clock, cancelled).then((value) => this.#judge(value));
  }

  #hide(value: unknown): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'object') for (const part of Object.values(value)) this.#hide(part);
    else {
      this.#filling.addSecret(value);
      this.frame.unit.run.masker.add(value);
    }
  }

  #context(): StepContext {
    const { use, frame } = this;
    this.info = this.#info();
    const context = new StepContext(frame.unit, this.info, this.cancel.signal, this.call);
    const ports = context as unknown as Record<string, unknown>;
    for (const { name, port } of use.shared)
      ports[name] =
        !import.meta.withoutWriteObservers && name === 'files' && frame.onWrite
          ? observedFiles(port as Files, frame.onWrite)
          : port;
    for (const name of use.ownPorts) ports[name] = this.#ownPort(name);
    return context;
  }

  #info(): StepInfo {
    const { node, frame } = this;
    const base = (import.meta.withoutControls ? undefined : frame.used?.base_url) ?? frame.unit.unit.base_url;
    const baseUrl = base && ('lit' in base ? base.lit : this.#fillOne(base));
    return {
      id: node.id,
      command: node.command,
      attempt: this.number,
      statusJudged: node.status_judged ?? false,
      ...(frame.part === 'teardown' && { inTeardown: true }),
      ...(typeof baseUrl === 'string' && { baseUrl }),
      ...(this.#deadline !== undefined && { deadline: this.#deadline }),
      ...(this.frame.around && { around: this.frame.around }),
    };
  }

  #ownPort(name: string): unknown {
    if (name === 'executor') return this.frame.unit.run.blocks.executor(this);
    if (!import.meta.withoutChance && name === 'chance')
      return this.frame.unit.chance(this.node.id, this.frame.row?.number, this.call);
    return import.meta.withoutVariables
      ? notLinked('variables')
      : name === 'references'
        ? new StepReferences(this.frame)
        : new StepVariables(this.frame.scope, this.frame.unit.run, this.call);
  }

  #judge(value: unknown): void {
    this.value = value;
    const { node, use, frame } = this;
    if (!import.meta.withoutVariables && this.nestedFailed > 0)
      throw fail.nestedStepsFailed({ count: this.nestedFailed, cause: this.firstNested, result: value });
    const { run } = frame.unit;
    if (!import.meta.withoutVariables && node.expect) expectAll(node.expect, value, this, this.#filling);
    else if (!import.meta.withoutVerdicts && use.facts.verdict && isNegative(use.facts.verdict, value))
      throw verdictFailure(use, this.args ?? {}, value);
    if (!import.meta.withoutVariables)
      for (const [index, saveAs] of node.save_as?.entries() ?? []) {
        const taken = run.values.capture(saveAs, index, value, run.host);
        if (saveAs.secret) this.#hide(taken);
        frame.scope.define(saveAs.name, taken, saveAs.secret ? { secret: true } : {});
      }
  }
}

/** Outside of the class, so that programs without conditions leave it out. */
function expectAll(
  conditions: readonly Condition[],
  value: unknown,
  { frame, use, args }: Attempt,
  filling: Filling,
): void {
  const { run } = frame.unit;
  try {
    run.values.expect(conditions, { ...frame, result: { value } }, filling, run.host);
  } catch (error) {
    throw import.meta.withoutVerdicts ? error : withVerdict(error, use, args ?? {}, value);
  }
}

/** The steps inside hear of a cancellation themselves, and what runs on every path is waited for. */
async function runControl(
  node: ControlNode,
  args: Readonly<Record<string, unknown>>,
  attempt: Attempt,
  filling: Filling,
): Promise<unknown> {
  const { cancel, frame } = attempt;
  const running = frame.unit.run.controls.run(node, args, attempt, filling);
  for (const call of frame.calls ?? []) (call.lasting ??= new Set()).add(running);
  let value: unknown;
  try {
    value = await running;
  } catch (error) {
    throw cancel.cancelled ? cancel.reason : error;
  }
  if (cancel.cancelled) throw cancel.reason;
  return value;
}

/**
 * Lists of steps were checked with the file, and live objects are no JSON: validators have nothing to say about them.
 */
function isLiveAt(args: Readonly<Record<string, unknown>>, pointer: string): boolean {
  const value = args[pointer.split('/')[1] ?? ''];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype;
}
