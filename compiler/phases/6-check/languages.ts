import type { Document } from '#grammar/document/document.ts';
import { conditionDiagnostic } from '#grammar/condition/report.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label, Report } from '#schemas/types/diagnostic.ts';

import type { Meta } from '../1-parse/ast.ts';
import { isPattern } from '../4-resolve/captures.ts';
import { literalText } from '../4-resolve/flow.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';
import type { Tokens } from '../4-resolve/tokens.ts';

/** What one parameter in a small language is held to: findings of a text, where there is something wrong. */
type CheckText = (text: string, said: { readonly at: Label; readonly command: string; readonly parameter: string }) => readonly Diagnostic[];

/**
 * Parameters in a small language, held to its grammar where their text is literal. Each distinct text is read once; grammars
 * that are slow to load are loaded when the first text needs them.
 */
export class Languages {
  readonly #document: Document;
  readonly #tokens: Tokens;
  readonly #meta: Meta;
  /** Texts that were found sound, by language. */
  readonly #sound = new Map<string, Set<string>>();
  readonly #waiting: { readonly language: string; readonly text: string; readonly call: Call; readonly name: string }[] = [];

  constructor(document: Document, tokens: Tokens, meta: Meta) {
    this.#document = document;
    this.#tokens = tokens;
    this.#meta = meta;
  }

  /** Takes note of the texts of a call. */
  note(call: Call): void {
    for (const { name, language } of call.signature.languages) {
      const value = call.args[name];
      if (language === undefined || typeof value !== 'string') continue;
      const text = call.references === 'plain' ? value : literalText(value, this.#tokens);
      // Most addresses are sound, and there may be many.
      if (text !== undefined && (language !== 'url' || !this.#isAddress(text))) this.#waiting.push({ language, text, call, name });
    }
  }

  /** Checks what was noted. */
  async check(report: Report): Promise<void> {
    for (const { text } of this.#waiting.filter(({ language }) => language === 'condition')) this.#tokens.noteCondition(text);
    await this.#tokens.prepare();
    for (const { language, text, call, name } of this.#waiting) {
      const sound = this.#sound.get(language) ?? new Set();
      if (sound.has(text)) continue;
      const said = { at: { source: this.#document.source, route: argumentRoute(call, name, this.#document), part: 'value' as const }, command: call.signature.info.name, parameter: name };
      const findings = this.#findings(language, text, said);
      findings.forEach(report);
      if (findings.length === 0) this.#sound.set(language, sound.add(text));
    }
  }

  #findings(language: string, text: string, said: Parameters<CheckText>[1]): readonly Diagnostic[] {
    switch (language) {
      case 'regex': return isPattern(text) ? [] : [d.patternUnreadable({ ...said, actual: JSON.stringify(text) })];
      case 'url': return [d.addressUnreadable({ ...said, actual: JSON.stringify(text) })];
      case 'condition': return this.#tokens.condition(text).problems.map((problem) => conditionDiagnostic(problem, said.at));
      default: return [];
    }
  }

  #isAddress(text: string): boolean {
    return URL.canParse(text) || (this.#meta.base_url !== undefined && URL.canParse(text, 'http://base.invalid/'));
  }
}
