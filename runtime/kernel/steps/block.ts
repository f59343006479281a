import * as fail from '#schemas/generated/failures.ts';
import type { Node } from '#schemas/types/plan.ts';
import { eachReferenceOf, everyNode } from '#schemas/types/walk-nodes.ts';

import { Cancellation } from '../cancellation.ts';
import type { AttemptView, Frame, ListEnd, StepEnd } from '../contract.ts';
import type { CompiledActions, CompiledPart, Linked } from '../linked.ts';
import { runList } from '../list.ts';
import type { Block, BlockOptions, BlockOutcome, BlockStep } from '../ports.ts';
import { toJson } from '../records/recordable.ts';
import { runParts } from './run-parts.ts';
import { notLinked } from '../not-linked.ts';
import { stepTold } from './step-told.ts';
import { Scope } from '../scope.ts';
import { asksFor } from '../values/asks-for.ts';

/** A row and the branch of its variables. */
function ofRow(
  { number, values }: NonNullable<BlockOptions['datasetRow']>,
  outer: Frame,
): Pick<Frame, 'row' | 'scope'> {
  return { row: { number, values }, scope: Scope.join([outer.scope]) };
}

/** Lists inside lists; a list that runs itself ends here. */
const DEEPEST = 64;

/** The steps of a parameter, or of files, run by the command that holds them; failures among them fail that step. */
export class KernelBlock implements Block {
  readonly #nodes: readonly Node[];
  readonly #attempt: AttemptView;
  readonly #linked: Linked;
  /** The files to run, where some have inputs, a setup or a teardown, or wait for others. */
  readonly #parts: readonly CompiledPart[] | undefined;
  readonly #branches = new Map<object, Scope>();

  constructor(
    nodes: readonly Node[],
    attempt: AttemptView,
    linked: Linked = attempt.frame.linked,
    parts?: readonly CompiledPart[],
  ) {
    this.#nodes = nodes;
    this.#attempt = attempt;
    this.#linked = linked;
    this.#parts = parts;
  }

  static of(compiled: CompiledActions, attempt: AttemptView): KernelBlock {
    const { parts } = compiled;
    const isPlain =
      parts.length === 1 &&
      parts.every(({ inputs, setup, teardown }) => inputs.length + setup.length + teardown.length === 0);
    return new KernelBlock(
      parts.flatMap(({ setup, body, teardown }) => [...setup, ...body, ...teardown]),
      attempt,
      compiled,
      isPlain ? undefined : parts,
    );
  }

  get length(): number {
    return this.#nodes.length;
  }

  get asksForEvent(): boolean {
    return asksFor(this.#nodes, ({ ns }) => ns === 'event', this.#linked.facts);
  }

  get columns(): readonly string[] {
    const names = new Set<string>();
    // A list in it that has rows of its own asks those.
    for (const node of everyNode(this.#nodes, (_block, { args }) => !('rows' in args)))
      eachReferenceOf(node, ({ ns, name, default: fallback }) => {
        if (ns === 'ROW' && fallback === undefined) names.add(name);
      });
    return [...names].sort();
  }

  keepState(): Promise<() => Promise<string | undefined>> {
    return this.#attempt.frame.unit.lists?.keep() ?? notLinked('rows');
  }

  async run(options: BlockOptions = {}): Promise<BlockOutcome> {
    const attempt = this.#attempt;
    const { unit } = attempt.frame;
    if (attempt.call.abandoned || unit.released) throw fail.attemptOver();
    if (attempt.frame.depth >= DEEPEST) throw fail.nestingTooDeep({ limit: DEEPEST });
    // A watch goes on after its step has ended: then only the unit can cancel it.
    const cancel = new Cancellation(attempt.ended ? attempt.frame.cancel : attempt.cancel);
    const abort = (): void => cancel.cancel(options.signal?.reason);
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    const frame = this.#frame(cancel, options);
    try {
      return this.#tell(await this.#runIn(frame, options));
    } finally {
      if (!import.meta.withoutRows && (options.datasetRow ?? options.variablesOf)?.isLast === true)
        attempt.frame.scope.adopt([frame.scope], [frame.scope]);
      options.signal?.removeEventListener('abort', abort);
      cancel.end();
    }
  }

  #frame(cancel: Cancellation, options: BlockOptions): Frame {
    const outer = this.#outer();
    return {
      ...outer,
      calls: [...(outer.calls ?? []), this.#attempt.call],
      linked: this.#linked,
      cancel,
      parent: this.#attempt.node.id,
      depth: outer.depth + 1,
      dry: outer.dry || (options.dryRun ?? false),
      ...(options.event && { event: options.event }),
      ...(!import.meta.withoutRows && options.datasetRow && ofRow(options.datasetRow, outer)),
      ...(!import.meta.withoutRows && options.variablesOf && this.#branchOf(options.variablesOf, outer)),
      ...(options.retry && { retry: { policy: options.retry, nodes: this.#nodes } }),
      ...(this.#attempt.info && { around: [...(outer.around ?? []), this.#attempt.info] }),
      ...(options.onWrite && { onWrite: options.onWrite }),
    };
  }

  #branchOf(side: object, outer: Frame): Pick<Frame, 'scope'> {
    const scope = this.#branches.get(side) ?? Scope.join([outer.scope]);
    this.#branches.set(side, scope);
    return { scope };
  }

  /**
   * A block in the background is no part of the lists around its step any more: nothing is held there, tried
   * again or heard for it.
   */
  #outer(): Frame {
    const { frame, ended } = this.#attempt;
    if (!ended) return frame;
    const { around: _around, retry: _retry, onWrite: _onWrite, ...rest } = frame;
    return rest;
  }

  async #runIn(
    frame: Frame,
    { order = { kind: 'list' }, end, onFailure = 'continue' }: BlockOptions,
  ): Promise<ListEnd> {
    if (order.kind === 'list' && this.#parts !== undefined) return this.#runParts(this.#parts, frame);
    if (order.kind === 'list')
      return runList(end === undefined ? this.#nodes : this.#nodes.slice(0, end), frame, {
        onFailure,
        collect: true,
      });
    const runGraph = await frame.unit.graph();
    // The number that the list asks for stands in a parameter, which nobody knows before the run.
    frame.unit.run.pool.widen(order.workers);
    return runGraph(this.#nodes, frame, {
      workers: order.workers,
      failed: order.kind === 'graph' ? order.failed : 'skip-dependents',
    });
  }

  /** Runs the parts; the holder of this list waits for their teardowns, also after a cancellation. */
  async #runParts(parts: readonly CompiledPart[], frame: Frame): Promise<ListEnd> {
    const running = runParts(parts, frame);
    for (const call of frame.calls ?? []) (call.lasting ??= new Set()).add(running);
    const end = await running;
    if (end.beside !== undefined) {
      this.#attempt.nestedFailed += 1;
      this.#attempt.firstNested ??= end.beside;
    }
    return end;
  }

  #tell(end: ListEnd): BlockOutcome {
    const attempt = this.#attempt;
    attempt.nestedFailed += end.failed;
    for (const step of end.steps) attempt.firstNested ??= step?.failure;
    return {
      failed: end.failed,
      results: end.steps.map((step) => toJson(step?.result ?? null)),
      steps: this.#nodes.map((node, index) => this.#step(node, index, end.steps[index])),
    };
  }

  #step(node: Node, index: number, end: StepEnd | undefined): BlockStep {
    return { id: this.#ownId(node, index), ...stepTold(node, end, this.#attempt.frame.unit.run.masker) };
  }

  /** Ids that nobody wrote are `<parent>.<parameter>.<index>`: then the index tells enough. */
  #ownId(node: Node, index: number): string {
    if (node.id.startsWith(`${this.#attempt.node.id}.`) && node.id.endsWith(`.${index}`)) return String(index);
    const { prefix } = this.#linked;
    if (prefix !== undefined && node.id.startsWith(`${prefix}.`)) return node.id.slice(prefix.length + 1);
    return node.id.slice(node.id.indexOf('#') + 1);
  }
}
