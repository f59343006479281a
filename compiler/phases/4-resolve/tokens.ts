import { parseCondition, prepareConditions, type ParsedCondition } from '#grammar/condition/parse.ts';
import { hasReference, parseText, prepareReferences, type ParsedText } from '#grammar/reference/parse.ts';
import { scanText } from '#grammar/reference/scan.ts';
import { preparePaths } from '#grammar/value-path/parse.ts';

/** Texts and conditions in pieces: each distinct one is parsed once a compilation, after `prepare`. */
export class Tokens {
  readonly #texts = new Map<string, ParsedText>();
  readonly #conditions = new Map<string, ParsedCondition>();
  /** Texts that the scanner leaves to the grammar. */
  readonly #hardTexts = new Set<string>();
  readonly #newConditions = new Set<string>();
  readonly #newPaths = new Set<string>();

  /**
   * Tells of a text before `prepare`. Undefined: it stands for itself. `hard`: only the grammar can read it, so ask
   * `text` after `prepare`.
   */
  note(text: string): ParsedText | 'hard' | undefined {
    // Most texts have no brace at all: one look is enough for them.
    if (!text.includes('{') || !hasReference(text)) return undefined;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const parsed = scanText(text);
    if (parsed === undefined) this.#hardTexts.add(text);
    else this.#texts.set(text, parsed);
    return parsed ?? 'hard';
  }

  noteCondition(text: string): void {
    if (!this.#conditions.has(text)) this.#newConditions.add(text);
  }

  notePath(text: string): void {
    this.#newPaths.add(text);
  }

  /** Loads the grammars that the noted texts need, which well-formed references do not. */
  async prepare(): Promise<void> {
    await Promise.all([
      prepareReferences(this.#hardTexts),
      prepareConditions(this.#newConditions),
      preparePaths(this.#newPaths),
    ]);
    this.#hardTexts.clear();
    this.#newConditions.clear();
    this.#newPaths.clear();
  }

  /** Undefined for a text without references or escapes: it stands for itself. */
  text(text: string): ParsedText | undefined {
    if (!text.includes('{') || !hasReference(text)) return undefined;
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
