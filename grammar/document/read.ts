import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';
import { decodeText } from '#grammar/source/text.ts';
import type { TextProblem } from '#grammar/source/text.ts';

import type { Document } from './document.ts';
import { Findings } from './findings.ts';
import { readJson } from './json/read.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import type { Reading } from './reading.ts';
import { TextDocument } from './text-document.ts';
import { mayHoldMore, yamlLimit, yamlMayHoldMore } from './value-bound.ts';

export interface ReadOptions {
  readonly source: SourceId;
  /** Limits; those that are not given are the defaults of `compiler/language/files.md`. */
  readonly limits?: Partial<ReadLimits>;
  /**
   * Format of the text; without it the source's ending decides; for others `{` or `[` as the first character
   * means JSON.
   */
  readonly format?: Document['format'];
}

export interface ReadResult {
  /**
   * Absent where the text breaks its format or passes a limit. With findings of other kinds it is there, and poisoned.
   */
  readonly document?: TextDocument;
  /** Text that was read, for source frames; where it cannot be decoded, leniently. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Characters of a broken YAML text that are read again to find all errors. */
const MOST_FOR_ALL_ERRORS = 1024 * 1024;

/**
 * Reads one JSON or YAML document. Never throws for what stands in the text: everything wrong with it is a diagnostic,
 * with its place. Libraries are loaded when they are first needed, so that a JSON file costs no YAML reader.
 */
export async function readDocument(input: Uint8Array | string, options: ReadOptions): Promise<ReadResult> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const findings = new Findings(options.source);
  if (isTooLarge(input, limits, findings)) return { text: '', diagnostics: findings.diagnostics };
  const { text, hadByteOrderMark, problem } = decodeText(input);
  if (problem !== undefined) {
    findings.add(problemDiagnostic(problem, findings));
    return { text, diagnostics: findings.diagnostics };
  }
  const format = options.format ?? formatOf(options.source, text);
  if (holdsTooMuch(text, format, limits, findings)) return { text, diagnostics: findings.diagnostics };
  const reading =
    format === 'json'
      ? readJson(text, limits, findings)
      : (await import('./yaml/read.ts')).readYaml(text, limits, findings);
  if (reading.kind === 'syntax-error') await reportSyntax(text, format, reading, findings);
  if (reading.kind !== 'read') return { text, diagnostics: findings.diagnostics };
  const { diagnostics, poisoned } = findings;
  const document = new TextDocument({
    source: options.source,
    text,
    hadByteOrderMark,
    value: reading.value,
    hasAliases: reading.hasAliases,
    poisoned,
    findings: diagnostics.length,
    limits,
    format: reading.format,
  });
  return { document, text, diagnostics: findings.diagnostics };
}

/** The format of a source by its ending; of others, standard input too, by the first character that is no blank. */
export function formatOf(source: SourceId, text: string): Document['format'] {
  if (/\.json$/i.test(source)) return 'json';
  if (/\.ya?ml$/i.test(source)) return 'yaml';
  return /^[ \t\r\n]*[{[]/.test(text) ? 'json' : 'yaml';
}

function isTooLarge(input: Uint8Array | string, limits: ReadLimits, findings: Findings): boolean {
  if (input.length <= limits.bytes) return false;
  findings.add(d.fileTooLarge({ at: findings.at({ start: 0, end: 0 }), bytes: input.length, limit: limits.bytes }));
  return true;
}

/** Known by signs in the text, before memory is spent on values. */
function holdsTooMuch(text: string, format: Document['format'], { values }: ReadLimits, findings: Findings): boolean {
  const limit = format === 'json' ? values : yamlLimit(values);
  if (!(format === 'json' ? mayHoldMore : yamlMayHoldMore)(text, limit)) return false;
  findings.add(d.tooManyValues({ at: findings.at({ start: 0, end: 0 }), limit }));
  return true;
}

function problemDiagnostic(problem: TextProblem, findings: Findings): Diagnostic {
  const at = findings.at(problem.span);
  switch (problem.kind) {
    case 'bad-utf8':
      return d.notUtf8({ at, byte: `0x${problem.byte.toString(16).toUpperCase()}`, offset: problem.offset });
    case 'utf16':
      return d.utf16File({ at });
    case 'cut-off':
      return d.fileCutOff({ at });
    case 'nul':
      return d.nulCharacter({ at });
    case 'lone-surrogate':
      return d.loneSurrogate({ at, unit: problem.unit });
  }
}

async function reportSyntax(
  text: string,
  format: Document['format'],
  error: Reading & { readonly kind: 'syntax-error' },
  findings: Findings,
): Promise<void> {
  if (format === 'json') return (await import('./json/errors.ts')).reportJsonErrors(text, findings);
  const { reportYamlErrors } =
    text.length <= MOST_FOR_ALL_ERRORS ? await import('./yaml/errors.ts') : await import('./yaml/first-error.ts');
  reportYamlErrors(text, error, findings);
}
