import type { Catalogue } from '#compiler/catalogue.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';

import type { ActionFile, Step } from '../1-parse/ast.ts';

import { commandLabel } from './bind.ts';
import { signatureOf, type Signature } from './signature.ts';

/** Looks commands up, once a name: a file of a hundred thousand steps names a handful. */
export class Commands {
  readonly #file: ActionFile;
  readonly #catalogue: Catalogue;
  readonly #report: Report;
  readonly #known = new Map<string, Signature | undefined>();
  /** Near names are worth their search only so often. */
  readonly #near = new Map<string, readonly string[]>();
  readonly #modules: Set<string>;

  constructor(file: ActionFile, catalogue: Catalogue, report: Report) {
    this.#file = file;
    this.#catalogue = catalogue;
    this.#report = report;
    this.#modules = new Set(file.meta.modules);
  }

  /** Every command that was looked up and is there. */
  get found(): readonly Signature[] {
    return [...this.#known.values()].filter((signature) => signature !== undefined);
  }

  /** Loads what the names of these steps need. */
  async prepare(steps: readonly Step[]): Promise<void> {
    const fresh = new Set<string>();
    let last = '';
    for (const { command } of steps) {
      if (command === last) continue;
      last = command;
      if (!this.#known.has(command)) fresh.add(command);
    }
    if (fresh.size === 0) return;
    await this.#catalogue.prepare(fresh);
    for (const name of fresh) {
      const info = this.#catalogue.get(name);
      this.#known.set(name, info === undefined ? undefined : signatureOf(info));
    }
  }

  /** Undefined for an unknown name, which is then reported. */
  signature(step: Step): Signature | undefined {
    const signature = this.#known.get(step.command);
    if (signature === undefined) this.#unknown(step);
    else if (signature.info.gate === 'packages') this.#addModule(step);
    return signature;
  }

  /** A step that adds a package makes the commands of its module known to the steps behind it. */
  #addModule({ keywords, positional }: Step): void {
    const name = keywords?.['package'] ?? positional?.[0];
    if (typeof name === 'string') this.#modules.add(name);
  }

  #unknown(step: Step): void {
    const { command } = step;
    const at = commandLabel(step, this.#file.document);
    const module = [...this.#modules].find((each) => command.startsWith(`${each}_`));
    if (module !== undefined) return this.#report(d.moduleCommandUnknown({ at, name: command, module }));
    if (!this.#near.has(command) && this.#near.size < 100) this.#near.set(command, this.#catalogue.didYouMean(command));
    const [nearest, ...others] = this.#near.get(command) ?? [];
    const fixes = nearest === undefined ? [] : [this.#rename(step, nearest, others.length === 0)];
    const names = nearest === undefined ? undefined : [nearest, ...others].join('" or "');
    this.#report(d.unknownCommand({ at, name: command, nearest: names, fixes }));
  }

  #rename(step: Step, command: string, isOnly: boolean): Fix {
    const { route, part } = commandLabel(step, this.#file.document);
    const operation = part === 'key' ? ({ kind: 'rename-key', route, key: command } as const) : ({ kind: 'replace', route, value: command } as const);
    return { title: `replace with "${command}"`, safety: isOnly ? 'safe' : 'unsafe', operations: [operation] };
  }
}
