import type { RunRecord } from '#schemas/types/record.ts';

import type { Markup } from '#grammar/markup/html.ts';

interface Entry {
  readonly id: string;
  readonly parent: string | undefined;
  readonly markup: Markup;
}

/** The steps of a file in the order in which they ended, but a step that holds others before those. */
export class StepList {
  readonly #entries: Entry[] = [];

  /** Steps that hold others and have not ended. */
  readonly #open = new Set<string>();

  add({ id, parent }: RunRecord, markup: Markup): void {
    // A look at a character makes one text of its many parts: the page takes a quarter less time.
    markup.text.charCodeAt(0);
    if (parent !== undefined) this.#open.add(parent);
    if (!this.#open.delete(id)) return void this.#entries.push({ id, parent, markup });
    let from = this.#entries.length;
    while (this.#entries[from - 1]?.parent !== undefined) from -= 1;
    const held = new Set([id]);
    const before: Entry[] = [];
    const inside: Entry[] = [];
    for (const entry of this.#entries.splice(from)) {
      if (entry.parent === undefined || !held.has(entry.parent)) before.push(entry);
      else {
        held.add(entry.id);
        inside.push(entry);
      }
    }
    this.#entries.push(...before, { id, parent, markup }, ...inside);
  }

  get markup(): readonly Markup[] {
    return this.#entries.map((entry) => entry.markup);
  }
}
