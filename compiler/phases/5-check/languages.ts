import type { Document } from '#grammar/document/document.ts';
import { locatorsIn } from '#grammar/selector/locators-in.ts';
import { conditionDiagnostic } from '#grammar/condition/report.ts';
import { parseCron, prepareCron } from '#grammar/cron/parse.ts';
import { parseShard, prepareShard } from '#grammar/shard/parse.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { scanStorageUri } from '#grammar/storage-uri/scan.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Language } from '#schemas/types/command.ts';
import { isPattern } from '#schemas/types/bounded-match.ts';
import type { Diagnostic, Label, Report } from '#schemas/types/diagnostic.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { Meta } from '../3-parse/ast.ts';
import { literalText } from '../4-resolve/flow.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';
import type { Tokens } from '../4-resolve/tokens.ts';

import { addressDiagnostic, isAddress } from './address.ts';

/** Place of a text, for the diagnostics of grammars and for our own. */
interface Said {
  readonly source: SourceId;
  readonly route: Route;
  readonly at: Label;
  readonly command: string;
  readonly parameter: string;
  /** Strategy of a locator in place. */
  readonly strategy?: string;
}

/** A text that is still to be held to its grammar. */
interface Waiting {
  readonly language: Language;
  readonly text: string;
  readonly call: Call;
  readonly name: string;
  /** Way from the value of the parameter to the text. */
  readonly inside: Route;
  /** Strategy of a locator in place. */
  readonly strategy?: string;
}

type CheckText = (text: string, said: Said, call: Call) => readonly Diagnostic[];

/**
 * Parameters in a small language, held to its grammar where their text is literal. Each distinct text is read once;
 * grammars that are slow to load are loaded when the first text needs them.
 */
export class Languages {
  readonly #document: Document;
  readonly #tokens: Tokens;
  readonly #meta: Meta;
  readonly #waiting: Waiting[] = [];

  constructor(document: Document, tokens: Tokens, meta: Meta) {
    this.#document = document;
    this.#tokens = tokens;
    this.#meta = meta;
  }

  /** Takes note of the texts of a call. */
  note(call: Call): void {
    for (const { name, language, language_if: isOn, language_by: by, else_local: mayStay } of call.signature
      .languages) {
      const value = call.args[name];
      if (language === undefined) continue;
      if (language === 'locators') {
        for (const { strategy, text, inside } of locatorsIn(value))
          if (literalText(text, this.#tokens) !== undefined)
            this.#waiting.push({ language, text, call, name, inside, strategy });
        continue;
      }
      if (Array.isArray(value)) {
        for (const [index, each] of value.entries()) {
          const text = typeof each === 'string' ? literalText(each, this.#tokens) : undefined;
          if (text !== undefined) this.#waiting.push({ language, text, call, name, inside: [index] });
        }
        continue;
      }
      if (typeof value !== 'string') continue;
      if (isOn !== undefined && call.args[isOn] !== true) continue;
      if (by !== undefined && !this.#isLocator(call, by)) continue;
      const text = literalText(value, this.#tokens) ?? this.#withPassword(value, language);
      // A path of this machine may hold anything.
      if (mayStay && text !== undefined && !isElsewhere(text)) continue;
      // Most addresses are sound, and there may be many.
      if (text !== undefined && (language !== 'url' || !this.#isAddress(text)))
        this.#waiting.push({ language, text, call, name, inside: [] });
    }
  }

  /** Whether the text of a parameter is refused by its grammar, so that its pattern need not be spoken of as well. */
  refuses(call: Call, name: string): boolean {
    const { language } = call.signature.parameters.get(name) ?? {};
    const text = literalText(call.args[name] ?? null, this.#tokens);
    if (text === undefined) return false;
    switch (language) {
      case 'cron':
        return parseCron(text).problems.length > 0;
      case 'shard':
        return parseShard(text).problems.length > 0;
      case 'url':
        return !this.#isAddress(text);
      default:
        return false;
    }
  }

  /** Checks what was noted. */
  async check(report: Report): Promise<void> {
    for (const [language, waiting] of Map.groupBy(this.#waiting, (each) => each.language)) {
      const grammar = await this.#grammar(
        language,
        waiting.map(({ text }) => text),
      );
      const sound = new Set<string>();
      for (const each of waiting) {
        const { text, call } = each;
        if (sound.has(text)) continue;
        const findings = grammar(text, this.#said(each), call);
        findings.forEach(report);
        if (findings.length === 0 && language !== 'locator' && language !== 'locators') sound.add(text);
      }
    }
  }

  /** An address in which a password stands, whatever its references hold: in that place they are none the better. */
  #withPassword(value: string, language: Language): string | undefined {
    const parsed = language === 'storage-uri' ? this.#tokens.text(value) : undefined;
    if (parsed === undefined || parsed.problems.length > 0) return undefined;
    const shape = parsed.parts.map((part) => (typeof part === 'string' ? part : 'x')).join('');
    return scanStorageUri(shape)?.password === undefined ? undefined : shape;
  }

  #said({ call, name, inside, strategy }: Waiting): Said {
    const { source } = this.#document;
    const route = argumentRoute(call, name, this.#document, inside);
    const said = { source, route, command: call.signature.info.name, parameter: name };
    return { ...said, at: { source, route, part: 'value' }, ...(strategy !== undefined && { strategy }) };
  }

  /** Finder of mistakes in a text of that language; a grammar is loaded where one of the texts needs it. */
  async #grammar(language: Language, texts: readonly string[]): Promise<CheckText> {
    switch (language) {
      case 'regex':
        return (text, said) =>
          isPattern(text, 'u') ? [] : [d.patternUnreadable({ ...said, actual: JSON.stringify(text) })];
      case 'url':
        return (text, said) => [addressDiagnostic(text, said)];
      case 'condition': {
        texts.forEach((text) => this.#tokens.noteCondition(text));
        await this.#tokens.prepare();
        return (text, said) =>
          this.#tokens.condition(text).problems.map((problem) => conditionDiagnostic(problem, said));
      }
      case 'cron': {
        const { cronDiagnostic } = await import('#grammar/cron/report.ts');
        await prepareCron(texts);
        return (text, said) => parseCron(text).problems.map((problem) => cronDiagnostic(problem, said));
      }
      case 'jsonpath': {
        const { jsonPathProblem, prepareJsonPath } = await import('#grammar/json-path/parse.ts');
        await prepareJsonPath();
        return (text, said) => {
          const problem = jsonPathProblem(text);
          if (problem === undefined) return [];
          return [
            d.jsonPathUnreadable({
              ...said,
              at: { ...said.at, part: [problem.from, problem.to] },
              reason: problem.found ?? '',
            }),
          ];
        };
      }
      case 'locator':
      case 'locators':
      case 'selector': {
        const { locatorDiagnostic, selectorDiagnostic } = await import('#grammar/selector/report.ts');
        if (language === 'selector') return (text, said) => selectorDiagnostic(text, said);
        return (text, said, call) => {
          const by = call.signature.parameters.get(said.parameter)?.language_by ?? '';
          return locatorDiagnostic(text, said.strategy ?? String(call.args[by]), said);
        };
      }
      case 'shard': {
        const { shardDiagnostic } = await import('#grammar/shard/report.ts');
        for (const text of texts) await prepareShard(text);
        return (text, said) => parseShard(text).problems.map((problem) => shardDiagnostic(problem, said));
      }
      case 'tag-filter': {
        const [{ parseTagFilter, prepareTagFilter }, { tagFilterDiagnostic }] = await Promise.all([
          import('#grammar/tag-filter/parse.ts'),
          import('#grammar/tag-filter/report.ts'),
        ]);
        for (const text of texts) await prepareTagFilter(text);
        return (text, said) => parseTagFilter(text).problems.map((problem) => tagFilterDiagnostic(problem, said));
      }
      case 'storage-uri': {
        const [{ parseStorageUri, prepareStorageUri }, { storageUriDiagnostic }] = await Promise.all([
          import('#grammar/storage-uri/parse.ts'),
          import('#grammar/storage-uri/report.ts'),
        ]);
        await prepareStorageUri(texts);
        return (text, said) => {
          const { uri, problems } = parseStorageUri(text);
          if (uri?.password !== undefined) return [d.storagePassword({ at: said.at })];
          return problems.map((problem) => storageUriDiagnostic(problem, said));
        };
      }
      case 'curl': {
        const [{ parseCommandLine }, { CommandLineError }] = await Promise.all([
          import('#grammar/curl/parse.ts'),
          import('#grammar/curl/ast.ts'),
        ]);
        const distinct = [...new Set(texts)];
        const read = new Map(
          await Promise.all(distinct.map(async (text) => [text, await parseCommandLine(text)] as const)),
        );
        return (text, said) => {
          const line = read.get(text);
          if (!(line instanceof CommandLineError)) return [];
          const part = [Math.min(line.at, text.length - 1), Math.min(line.at + 1, text.length)] as const;
          return [d.commandLineUnreadable({ ...said, at: { ...said.at, part }, reason: line.reason })];
        };
      }
      default:
        return language satisfies never;
    }
  }

  /** The strategy is known, and is one of those that have a language of their own. */
  #isLocator(call: Call, by: string): boolean {
    const strategy = call.args[by];
    return typeof strategy === 'string' && literalText(strategy, this.#tokens) !== undefined;
  }

  #isAddress(text: string): boolean {
    return isAddress(text, this.#meta.base_url !== undefined);
  }
}
