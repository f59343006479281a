import * as fail from '#schemas/generated/failures.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { Attempt } from './attempt.ts';
import { Cancellation } from '../cancellation.ts';
import type { Frame } from '../frame.ts';
import { runList, type ListEnd } from '../list.ts';
import type { Block, BlockOptions, BlockOutcome, BlockStep } from '../ports.ts';
import type { Linked } from '../program.ts';
import { toJson } from '../records/recordable.ts';
import { recordedError } from '../records/recorded-error.ts';
import type { StepEnd } from './step.ts';
import { asksFor } from '../values/asks-for.ts';

/** Lists inside lists; a list that runs itself ends here. */
const DEEPEST = 64;

/** The steps of a parameter, run by the command that holds them; failures among them fail that step. */
export class KernelBlock implements Block {
  readonly #nodes: readonly Node[];
  readonly #attempt: Attempt;
  readonly #linked: Linked;

  constructor(nodes: readonly Node[], attempt: Attempt, linked: Linked = attempt.frame.linked) {
    this.#nodes = nodes;
    this.#attempt = attempt;
    this.#linked = linked;
  }

  get length(): number {
    return this.#nodes.length;
  }

  get asksForEvent(): boolean {
    return this.#nodes.some((node) => asksFor(node, ({ ns }) => ns === 'event', this.#linked.facts));
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
    try {
      return this.#tell(await this.#runIn(this.#frame(cancel, options), options));
    } finally {
      options.signal?.removeEventListener('abort', abort);
      cancel.end();
    }
  }

  #frame(cancel: Cancellation, options: BlockOptions): Frame {
    const outer = this.#attempt.frame;
    return {
      ...outer,
      linked: this.#linked,
      cancel,
      parent: this.#attempt.node.id,
      depth: outer.depth + 1,
      dry: outer.dry || (options.dryRun ?? false),
      ...(options.event && { event: options.event }),
      ...(options.retry && { retry: { policy: options.retry, nodes: this.#nodes } }),
      ...(options.holds !== undefined && { holds: [...(outer.holds ?? []), options.holds] }),
      ...(options.onWrite && { onWrite: options.onWrite }),
    };
  }

  async #runIn(frame: Frame, { order = { kind: 'list' }, end }: BlockOptions): Promise<ListEnd> {
    if (order.kind === 'list') return runList(end === undefined ? this.#nodes : this.#nodes.slice(0, end), frame, { onFailure: 'continue', collect: true });
    const runGraph = await frame.unit.graph();
    // How many the list asks for stands in a parameter, which nobody knows before the run.
    frame.unit.run.pool.widen(order.workers);
    return runGraph(this.#nodes, frame, { workers: order.workers, failed: order.kind === 'graph' ? order.failed : 'skip-dependents' });
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
    const { unit } = this.#attempt.frame;
    const result = end?.result === undefined ? {} : { result: toJson(end.result) };
    const error = end?.failure ? { error: recordedError(end.failure, unit.run.masker), failure: end.failure } : {};
    const reason = end?.reason === undefined ? {} : { reason: end.reason };
    return { id: this.#ownId(node, index), command: node.command, status: end?.status ?? 'skipped', ...result, ...error, ...reason };
  }

  /** Ids that nobody wrote are `<parent>.<parameter>.<index>`: then the index tells enough. */
  #ownId(node: Node, index: number): string {
    if (node.id.startsWith(`${this.#attempt.node.id}.`) && node.id.endsWith(`.${index}`)) return String(index);
    const { prefix } = this.#linked;
    if (prefix !== undefined && node.id.startsWith(`${prefix}.`)) return node.id.slice(prefix.length + 1);
    return node.id.slice(node.id.indexOf('#') + 1);
  }
}
