import { locate, type LocatedLabel, type SourceText } from '#compiler/report/locate.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';

interface Findings {
  readonly files: readonly (SourceText & { readonly source: SourceId })[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Findings as a golden holds them: place, code and message in one line, what belongs to them below. */
export function printDiagnostics({ files, diagnostics }: Findings): string {
  const sources = new Map(files.map((file): [SourceId, SourceText] => [file.source, file]));
  return locate(diagnostics, sources)
    .map(({ diagnostic, primary, related }) => {
      const lines = [
        `${place(primary)}: ${diagnostic.severity} ${diagnostic.code} ${diagnostic.slug}: ${diagnostic.message}`,
      ];
      lines.push(`  at \`${marked(primary)}\`${primary.text === undefined ? '' : `: ${primary.text}`}`);
      for (const label of related)
        lines.push(`  see ${place(label)} \`${marked(label)}\`${label.text === undefined ? '' : `: ${label.text}`}`);
      if (diagnostic.help !== undefined) lines.push(`  help: ${diagnostic.help}`);
      for (const fix of diagnostic.fixes) lines.push(`  fix (${fix.safety}): ${fix.title}`);
      return `${lines.join('\n')}\n`;
    })
    .join('');
}

function place({ source, start, end }: LocatedLabel): string {
  return `${source}:${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** Marked text, on one line. */
function marked({ file, span }: LocatedLabel): string {
  const text = file?.text.slice(span.start, span.end).replaceAll(/\s+/g, ' ') ?? '';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
