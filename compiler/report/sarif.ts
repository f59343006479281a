import { createHash } from 'node:crypto';

import type { JsonObject } from '#schemas/types/json.ts';

import { fixEdits } from './fix-edits.ts';
import type { Located, LocatedLabel, Sources } from './locate.ts';

export interface SarifOptions {
  readonly version: string;
  /** Names a finding's step by something that survives moving it: its id, or its command and arguments. */
  stepOf?(finding: Located): string;
}

/** Findings as SARIF 2.1.0 (OASIS), one run, columns in UTF-16 units. */
export function sarif(located: readonly Located[], sources: Sources, options: SarifOptions): string {
  const rules = [...new Map(located.map(({ diagnostic }) => [diagnostic.code, diagnostic])).values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const fingerprints = new Map<string, number>();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'utf16CodeUnits',
        tool: { driver: { name: 'svc', version: options.version, rules: rules.map(({ code, slug }) => ({ id: code, name: slug, shortDescription: { text: slug.replaceAll('-', ' ') } })) } },
        results: located.map((finding) => result(finding, sources, options, fingerprints)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result(finding: Located, sources: Sources, options: SarifOptions, seen: Map<string, number>): JsonObject {
  const { diagnostic, primary, related } = finding;
  return {
    ruleId: diagnostic.code,
    level: { error: 'error', warning: 'warning', info: 'note', hint: 'note' }[diagnostic.severity],
    message: { text: diagnostic.help === undefined ? diagnostic.message : `${diagnostic.message} ${diagnostic.help}` },
    locations: [location(primary)],
    ...(related.length > 0 && { relatedLocations: related.map((label, id) => ({ id, ...location(label), ...(label.text !== undefined && { message: { text: label.text } }) })) }),
    ...(diagnostic.fixes.length > 0 && { fixes: diagnostic.fixes.map((fix) => ({ description: { text: fix.title }, artifactChanges: [change(finding, sources, fix)] })) }),
    partialFingerprints: { 'svcStep/v1': fingerprint(finding, options, seen) },
  };
}

function change(finding: Located, sources: Sources, fix: Located['diagnostic']['fixes'][number]): JsonObject {
  const replacements = fixEdits(finding, fix, sources).map(({ span, text }) => ({
    deletedRegion: { charOffset: span.start, charLength: span.end - span.start },
    insertedContent: { text },
  }));
  return { artifactLocation: { uri: uri(finding.primary.source) }, replacements };
}

function location({ source, start, end, span }: LocatedLabel): JsonObject {
  const region = { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column, charOffset: span.start, charLength: span.end - span.start };
  return { physicalLocation: { artifactLocation: { uri: uri(source) }, region } };
}

/** The code, the step, and the finding's ordinal among equals: not the line, so that a new comment changes none. */
function fingerprint(finding: Located, options: SarifOptions, seen: Map<string, number>): string {
  const { diagnostic, primary } = finding;
  const key = JSON.stringify([diagnostic.code, primary.source, options.stepOf?.(finding) ?? diagnostic.message]);
  const ordinal = seen.get(key) ?? 0;
  seen.set(key, ordinal + 1);
  return createHash('sha256').update(`${key}#${ordinal}`).digest('hex').slice(0, 32);
}

function uri(source: string): string {
  return source.split('/').map(encodeURIComponent).join('/');
}
