import type { Hash } from 'node:crypto';

import type { Diagnostic, Severity } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Span } from '#schemas/types/place.ts';

import { fixable, fixEdits } from './fix-edits.ts';
import type { Located, LocatedLabel, Sources } from './locate.ts';
import { stepKey } from './step-key.ts';

export interface SarifOptions {
  readonly version: string;
  /** Explanation of a code, in a sentence or a few, and its severity where nothing else is set. */
  readonly about: (code: string) => { readonly text: string; readonly severity: Severity } | undefined;
  /** Findings that their authors mean so. */
  readonly suppressed?: readonly SuppressedFinding[];
}

export interface SuppressedFinding {
  readonly finding: Located;
  /** The author's words; empty where there are none. */
  readonly reason: string;
}

const levels = { error: 'error', warning: 'warning', info: 'note', hint: 'note' } as const;

/** Findings as SARIF 2.1.0 (OASIS), one run, columns in UTF-16 units. */
export function sarif(located: readonly Located[], sources: Sources, options: SarifOptions): string {
  const { suppressed = [] } = options;
  const all = [...located, ...suppressed.map(({ finding }) => finding)];
  const codes = [...new Map(all.map(({ diagnostic }) => [diagnostic.code, diagnostic.slug]))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const order = new Map(codes.map(([code], index) => [code, index]));
  const fingerprints = new Fingerprints(sources);
  const fixed = fixable(located);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'utf16CodeUnits',
        tool: {
          driver: {
            name: 'svc',
            version: options.version,
            rules: codes.map(([code, slug]) => rule(code, slug, options)),
          },
        },
        results: all.map((finding, index) => ({
          ruleIndex: order.get(finding.diagnostic.code) ?? 0,
          ...result(fixed.has(finding) ? finding : withoutFixes(finding), sources, fingerprints),
          // All results say it or none does (SARIF 3.27.23).
          ...(suppressed.length > 0 && { suppressions: suppressions(suppressed[index - located.length]) }),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Findings that were suppressed with the reasons of their authors, which stand in the order of the findings. */
export function withReasons(
  diagnostics: readonly Diagnostic[],
  reasons: readonly string[],
  located: (diagnostics: readonly Diagnostic[]) => readonly Located[],
): readonly SuppressedFinding[] {
  const keyOf = ({ code, primary: { source, route, part } }: Diagnostic): string =>
    JSON.stringify([code, source, route, part]);
  const byKey = new Map(diagnostics.map((diagnostic, index) => [keyOf(diagnostic), reasons[index] ?? '']));
  return located(diagnostics).map((finding) => ({ finding, reason: byKey.get(keyOf(finding.diagnostic)) ?? '' }));
}

function suppressions(suppressed: SuppressedFinding | undefined): readonly JsonObject[] {
  if (suppressed === undefined) return [];
  const { reason } = suppressed;
  return [{ kind: 'inSource', ...(reason !== '' && { justification: reason }) }];
}

function rule(code: string, slug: string, { about }: SarifOptions): JsonObject {
  const known = about(code);
  return {
    id: code,
    name: slug,
    shortDescription: { text: slug.replaceAll('-', ' ') },
    ...(known && { fullDescription: { text: known.text }, defaultConfiguration: { level: levels[known.severity] } }),
    help: { text: `svc explain ${code}` },
  };
}

function withoutFixes(finding: Located): Located {
  const { diagnostic, primary, related } = finding;
  return { diagnostic: { ...diagnostic, fixes: [] }, primary, related };
}

function result(finding: Located, sources: Sources, fingerprints: Fingerprints): JsonObject {
  const { diagnostic, primary, related } = finding;
  const fixes = diagnostic.fixes.flatMap((fix) => changes(finding, sources, fix));
  return {
    ruleId: diagnostic.code,
    level: levels[diagnostic.severity],
    message: { text: diagnostic.help === undefined ? diagnostic.message : `${diagnostic.message} ${diagnostic.help}` },
    locations: [location(primary)],
    ...(related.length > 0 && {
      relatedLocations: related.map((label, id) => ({
        id,
        ...location(label),
        ...(label.text !== undefined && { message: { text: label.text } }),
      })),
    }),
    ...(fixes.length > 0 && { fixes }),
    partialFingerprints: { 'svcStep/v1': fingerprints.of(finding) },
  };
}

/** A fix without replacements is none (SARIF 3.55). */
function changes(finding: Located, sources: Sources, fix: Fix): readonly JsonObject[] {
  const replacements = fixEdits(finding, fix, sources).map(({ span, text }) => ({
    deletedRegion: region(span, finding.primary),
    insertedContent: { text },
  }));
  if (replacements.length === 0) return [];
  return [
    {
      description: { text: fix.title },
      artifactChanges: [{ artifactLocation: { uri: uri(finding.primary.source) }, replacements }],
    },
  ];
}

function location(label: LocatedLabel): JsonObject {
  return { physicalLocation: { artifactLocation: { uri: uri(label.source) }, region: region(label.span, label) } };
}

function region({ start, end }: Span, label: LocatedLabel): JsonObject {
  const { file } = label;
  if (!file) return { startLine: label.start.line, startColumn: label.start.column };
  const [from, to] = [file.lines.position(start), file.lines.position(end)];
  return {
    startLine: from.line,
    startColumn: from.column,
    endLine: to.line,
    endColumn: to.column,
    charOffset: start,
    charLength: end - start,
  };
}

/** The code, the step, and the finding's ordinal among equals: not the line, so that a new comment changes none. */
class Fingerprints {
  readonly #sources: Sources;
  readonly #keys = new Map<Json, string>();
  /** Number of equal findings and the hash up to their ordinal, by the key of the step, then by code and source. */
  readonly #seen = new Map<string, Map<string, { count: number; readonly hash: Hash }>>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  of(finding: Located): string {
    const { diagnostic, primary } = finding;
    const key = stepKey(finding, this.#sources, this.#keys);
    const equals = this.#seen.get(key) ?? new Map<string, { count: number; readonly hash: Hash }>();
    this.#seen.set(key, equals);
    const kind = `${diagnostic.code} ${primary.source}`;
    const known = equals.get(kind) ?? {
      count: 0,
      hash: process
        .getBuiltinModule('node:crypto')
        .createHash('sha256')
        .update(JSON.stringify([diagnostic.code, primary.source, key])),
    };
    equals.set(kind, known);
    const ordinal = known.count++;
    return known.hash.copy().update(`#${ordinal}`).digest('hex').slice(0, 32);
  }
}

function uri(source: string): string {
  return source.split('/').map(encodeURIComponent).join('/');
}
