import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { ForEachNode, Node } from '#schemas/types/plan.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import type { AttemptView, Frame } from '../contract.ts';
import { Pace, runList } from '../list.ts';
import { Scope } from '../scope.ts';
import { Unknown, type Filling } from '../values/surroundings.ts';
import { atOnce } from './at-once.ts';
import { fillLater } from './fill-later.ts';
import { numberOf, type Header } from './header.ts';
import { itemsOf, type Items } from './items.ts';
import { blockFrame } from './run-block.ts';

/**
 * Runs the block once for each item, and yields what was collected, in the order of the items; null where nothing is.
 */
export async function runForEach(
  node: ForEachNode,
  header: Header,
  attempt: AttemptView,
  filling: Filling,
): Promise<readonly unknown[] | null> {
  const items = itemsOf(node.kind, header);
  const loop = new Loop(node, items, attempt, filling);
  const workers = numberOf(node.kind, header, 'max_workers', { least: 1, isWhole: true }) ?? 1;
  await (node.branches ? loop.inBranches(workers) : loop.inOrder());
  return loop.result();
}

/** The block of a loop in a dry run: it is shown once, and its item is not known. */
export function dryLoop({ as }: ForEachNode, frame: Frame): Frame {
  const scope = Scope.block(frame.scope);
  for (const name of [as, `${as}_index`, 'item_index']) scope.own(name, new Unknown(`{{${name}}}`));
  return { ...frame, scope };
}

class Loop {
  readonly #node: ForEachNode;
  readonly #block: readonly Node[];
  readonly #items: Items;
  readonly #attempt: AttemptView;
  readonly #filling: Filling;
  readonly #frame: Frame;
  readonly #isSecret: boolean;
  readonly #pace: Pace;
  readonly #collected: unknown[] | undefined;
  #begun = 0;
  #failed = 0;
  #failure: Failure | undefined;

  constructor(node: ForEachNode, items: Items, attempt: AttemptView, filling: Filling) {
    this.#node = node;
    this.#block = blockOf(node, 'do');
    this.#items = items;
    this.#attempt = attempt;
    this.#frame = blockFrame(attempt);
    this.#filling = filling;
    this.#isSecret = filling.secrets?.has(attempt.args?.['for_each']) ?? false;
    this.#pace = new Pace(this.#frame.world.clock);
    this.#collected = node.collect === undefined ? undefined : [];
  }

  /** One scope for all: what an iteration writes the next one sees. */
  async inOrder(): Promise<void> {
    const frame = { ...this.#frame, scope: Scope.block(this.#frame.scope) };
    while (this.#goesOn()) await this.#iterate(this.#begun++, frame);
  }

  /**
   * So many at once; each in a branch of its own, of which nothing is left but what became of its steps, and the last
   * response.
   */
  async inBranches(workers: number): Promise<void> {
    const { scope, unit } = this.#frame;
    const { pool } = unit.run;
    const left = Scope.join([scope]);
    let last: { readonly index: number; readonly branch: Scope } | undefined;
    pool.widen(workers);
    const iterate = async (): Promise<void> => {
      const index = this.#begun++;
      const branch = Scope.join([scope]);
      await this.#iterate(index, { ...this.#frame, scope: Scope.block(branch) });
      left.adoptSteps(branch);
      if (last === undefined || last.index < index) last = { index, branch };
    };
    await atOnce(Math.min(workers, this.#items.count), pool, () => this.#goesOn(), iterate);
    scope.adoptSteps(left);
    const response = last?.branch.find('last_response');
    if (response) scope.define('last_response', response.value, { secret: response.secret, text: response.text });
  }

  #goesOn(): boolean {
    if (this.#begun >= this.#items.count || this.#frame.cancel.cancelled) return false;
    return this.#failed === 0 || this.#node.on_failure === 'continue';
  }

  async #iterate(index: number, frame: Frame): Promise<void> {
    const { scope } = frame;
    scope.own(this.#node.as, this.#items.at(index), { secret: this.#isSecret });
    scope.own(`${this.#node.as}_index`, index);
    scope.own('item_index', index);
    const end = await runList(this.#block, frame, { onFailure: 'continue', pace: this.#pace });
    if (end.failed > 0) this.#note(end.failure);
    else if (this.#node.collect !== undefined && !frame.cancel.cancelled) await this.#collect(index, frame);
  }

  #note(failure: Failure | undefined): void {
    this.#failed++;
    this.#failure ??= failure;
  }

  async #collect(index: number, frame: Frame): Promise<void> {
    const { collect } = this.#node;
    if (collect === undefined || this.#collected === undefined) return;
    this.#collected[index] = await fillLater(collect, frame, this.#filling);
  }

  result(): readonly unknown[] | null {
    const result =
      this.#collected && Array.from({ length: this.#begun }, (_, index) => this.#collected?.[index] ?? null);
    if (this.#failed === 0) return result ?? null;
    this.#attempt.nestedFailed += this.#failed;
    throw fail.iterationsFailed({
      failed: this.#failed,
      count: this.#begun,
      cause: this.#failure,
      ...(result && { result }),
    });
  }
}
