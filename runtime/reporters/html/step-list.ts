import type { RunRecord } from '#schemas/types/record.ts';

import { Markup } from '#grammar/markup/html.ts';

interface Entry {
  readonly id: string;
  readonly parent: string | undefined;
  readonly markup: Markup;
}

/**
 * Steps of a group. The browser styles and lays out groups only where they are seen; and the markup of so few becomes
 * one text while its many parts are young, which frees them quickly.
 */
const GROUP = 64;

/** The steps of a file in the order in which they ended, but a step that holds others before those. */
export class StepList {
  /** Steps whose place is known: full groups, and the markup of those behind them. */
  readonly #groups: Markup[] = [];
  #texts: string[] = [];

  /** Steps since the last that nothing holds: one that holds them may come before them. */
  #waiting: Entry[] = [];

  /** Steps that hold others and have not ended. */
  readonly #open = new Set<string>();

  add({ id, parent }: RunRecord, markup: Markup): void {
    if (parent !== undefined) this.#open.add(parent);
    if (this.#open.delete(id)) this.#hold({ id, parent, markup });
    else if (parent === undefined && this.#waiting.length === 0) return this.#settle(markup);
    else this.#waiting.push({ id, parent, markup });
    if (parent === undefined) for (const entry of this.#waiting.splice(0)) this.#settle(entry.markup);
  }

  /** A step goes before the steps that it holds. */
  #hold(holder: Entry): void {
    const held = new Set([holder.id]);
    const before: Entry[] = [];
    const inside: Entry[] = [];
    for (const entry of this.#waiting) {
      if (entry.parent === undefined || !held.has(entry.parent)) before.push(entry);
      else {
        held.add(entry.id);
        inside.push(entry);
      }
    }
    this.#waiting = [...before, holder, ...inside];
  }

  #settle({ text }: Markup): void {
    if (this.#texts.push(text) < GROUP) return;
    this.#groups.push(grouped(this.#texts));
    this.#texts = [];
  }

  get markup(): readonly Markup[] {
    const rest = [...this.#texts, ...this.#waiting.map(({ markup }) => markup.text)];
    return rest.length === 0 ? this.#groups : [...this.#groups, grouped(rest)];
  }
}

function grouped(texts: readonly string[]): Markup {
  return new Markup(`<div>${texts.join('')}</div>\n`);
}
