import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { KernelBlock } from './block.ts';
import type { AttemptView } from '../contract.ts';
import type { Around, CompileActions } from '../linked.ts';
import type { ActionCheck, Block, BlockOptions, BlockOutcome, Executor } from '../ports.ts';

/** Runs action lists that arrive as data in the unit of the step that asks; their steps count like nested ones. */
export class UnitExecutor implements Executor {
  readonly #attempt: AttemptView;
  #count = 0;

  constructor(attempt: AttemptView) {
    this.#attempt = attempt;
  }

  async run(actions: Json, options?: BlockOptions): Promise<BlockOutcome> {
    const compiled = await (await this.#compiler()).list(actions, this.#prefix(), this.#around);
    return KernelBlock.of(compiled, this.#attempt).run(options);
  }

  async open(paths: readonly string[]): Promise<readonly Block[]> {
    const compiled = await (await this.#compiler()).files(paths, this.#prefix(), this.#around);
    return compiled.map((file) => KernelBlock.of(file, this.#attempt));
  }

  async check(actions: Json): Promise<ActionCheck> {
    return (await this.#compiler()).check(actions, this.#around);
  }

  get #around(): Around {
    const { frame, cancel } = this.#attempt;
    return { ...frame.world.folders, host: frame.unit.run.host, signal: cancel.signal };
  }

  #prefix(): string {
    return `${this.#attempt.node.id}.run${this.#count++ || ''}`;
  }

  async #compiler(): Promise<CompileActions> {
    const { program } = this.#attempt.frame.unit.run;
    const compile = await program.parts?.compile?.();
    if (!compile) throw fail.executorMissing();
    return compile;
  }
}
