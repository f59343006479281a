import type { JsonObject } from '#schemas/types/json.ts';
import type { Findings } from '#schemas/types/service.ts';

import { fixable, fixEdits } from './fix-edits.ts';
import type { Located, Sources } from './locate.ts';

/** The stable machine form of findings (`diagnostic.schema.json`). */
export function findings(located: readonly Located[], sources: Sources, files: number): Findings {
  const fixed = fixable(located);
  return { diagnostics: located.map((finding) => entry(finding, sources, fixed.has(finding))), files };
}

/** The same as text. */
export function json(located: readonly Located[], sources: Sources, files: number): string {
  return `${JSON.stringify(findings(located, sources, files), null, 2)}\n`;
}

function entry(finding: Located, sources: Sources, withFixes: boolean): JsonObject {
  const { diagnostic, primary, related } = finding;
  return {
    code: diagnostic.code,
    slug: diagnostic.slug,
    severity: diagnostic.severity,
    message: diagnostic.message,
    ...place(primary),
    ...(diagnostic.help !== undefined && { help: diagnostic.help }),
    ...(related.length > 0 && {
      related: related.map((label) => ({ ...place(label), ...(label.text !== undefined && { message: label.text }) })),
    }),
    ...(withFixes && {
      fixes: diagnostic.fixes.map((fix) => ({
        title: fix.title,
        safety: fix.safety,
        edits: fixEdits(finding, fix, sources).map(({ span, text }) => ({ ...editPlace(primary, span), text })),
      })),
    }),
  };
}

function place({ source, start, end }: Located['primary']): JsonObject {
  return { file: source, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

function editPlace({ file }: Located['primary'], span: { readonly start: number; readonly end: number }): JsonObject {
  if (!file) return {};
  const start = file.lines.position(span.start);
  const end = file.lines.position(span.end);
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
