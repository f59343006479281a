import type { Linted } from '#compiler/api.ts';
import { fixEdits } from '#compiler/report/fix-edits.ts';
import { human } from '#compiler/report/human.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { maskFor } from '#compiler/engine/mask.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { Terminal } from '#schemas/types/cli.ts';
import type { Fix } from '#schemas/types/fix.ts';

import { difference } from '../migrate/difference.ts';
import { paperOf, type Workspace } from '../workspace.ts';

/** A fix that may change what a file means, and the text that it would make. */
interface Offer {
  readonly key: string;
  readonly finding: Located;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** An answer: apply it, leave it, apply it and all others, or ask no more. */
type Answer = 'yes' | 'no' | 'all' | 'quit';

/**
 * Asks for one unsafe fix after the other, and yields the first new text that is wanted; undefined where nothing is
 * left to ask.
 */
export class UnsafeFixes {
  readonly #terminal: Terminal;
  readonly #end = new AbortController();
  #answers: AsyncIterator<string> | undefined;
  readonly #declined = new Set<string>();
  #wantsAll = false;
  #hasQuit = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async next(
    linted: Linted,
    workspace: Workspace,
  ): Promise<{ readonly path: string; readonly text: string } | undefined> {
    for (const offer of offersOf(linted, workspace)) {
      if (this.#hasQuit) return undefined;
      if (this.#declined.has(offer.key)) continue;
      const answer = this.#wantsAll ? 'yes' : await this.#ask(offer);
      if (answer === 'all') this.#wantsAll = true;
      if (answer === 'quit') this.#hasQuit = true;
      // Asked once: what a fix does not mend is not asked for again.
      this.#declined.add(offer.key);
      if (answer === 'yes' || answer === 'all') return { path: offer.path, text: offer.after };
    }
    return undefined;
  }

  /** Lets go of standard input. */
  close(): void {
    this.#end.abort();
  }

  async #ask({ finding, before, after }: Offer): Promise<Answer> {
    const shown = human([finding], paperOf(this.#terminal));
    const change = difference(finding.primary.source, before, after);
    this.#terminal.err(`${shown}${change}Apply it? [y]es, [n]o, [a]ll, [q]uit: `);
    this.#answers ??= this.#terminal.lines(this.#end.signal)[Symbol.asyncIterator]();
    const { done, value } = await this.#answers.next();
    const answer = done === true ? 'q' : value.trim().toLowerCase();
    if (answer.startsWith('q')) return 'quit';
    return answer.startsWith('y') ? 'yes' : answer.startsWith('a') ? 'all' : 'no';
  }
}

function* offersOf({ compilation, diagnostics }: Linted, workspace: Workspace): Generator<Offer> {
  const sources = sourcesOf(compilation.files);
  const files = new Map(compilation.files.map((file) => [file.source, file]));
  for (const finding of locate(diagnostics, sources, maskFor([workspace], compilation.files))) {
    const file = files.get(finding.primary.source);
    const fix = unsafeOf(finding);
    if (file === undefined || file.isPulledIn || fix === undefined) continue;
    const { start, end } = finding.primary.span;
    const key = JSON.stringify([file.source, finding.diagnostic.code, fix.title, file.text.slice(start, end)]);
    const after = applyEdits(file.text, fixEdits(finding, fix, sources));
    if (after !== file.text) yield { key, finding, path: file.path, before: file.text, after };
  }
}

/** The unsafe fix of a finding; none where it has a safe one too, which was applied already. */
function unsafeOf({ diagnostic: { fixes } }: Located): Fix | undefined {
  return fixes.some(({ safety }) => safety === 'safe') ? undefined : fixes.find(({ safety }) => safety === 'unsafe');
}
