import { parseCondition, prepareConditions, type ParsedCondition } from '#grammar/condition/parse.ts';
import { hasReference, parseText, prepareReferences, type ParsedText } from '#grammar/reference/parse.ts';

/** Texts and conditions in pieces: each distinct one is parsed once a compilation, after `prepare`. */
export class Tokens {
  readonly #texts = new Map<string, ParsedText>();
  readonly #conditions = new Map<string, ParsedCondition>();
  readonly #newTexts = new Set<string>();
  readonly #newConditions = new Set<string>();

  /** Tells of a text before `prepare`. False: it stands for itself. */
  note(text: string): boolean {
    if (!hasReference(text)) return false;
    if (!this.#texts.has(text)) this.#newTexts.add(text);
    return true;
  }

  noteCondition(text: string): void {
    if (!this.#conditions.has(text)) this.#newConditions.add(text);
  }

  /** Loads the grammars that the noted texts need, which well-formed references do not. */
  async prepare(): Promise<void> {
    await Promise.all([prepareReferences(this.#newTexts), prepareConditions(this.#newConditions)]);
    this.#newTexts.clear();
    this.#newConditions.clear();
  }

  /** Undefined for a text without references or escapes: it stands for itself. */
  text(text: string): ParsedText | undefined {
    if (!hasReference(text)) return undefined;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const parsed = parseText(text);
    this.#texts.set(text, parsed);
    return parsed;
  }

  condition(text: string): ParsedCondition {
    const known = this.#conditions.get(text);
    if (known !== undefined) return known;
    const parsed = parseCondition(text);
    this.#conditions.set(text, parsed);
    return parsed;
  }
}
