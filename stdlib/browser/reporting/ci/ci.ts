import { workflowCommand } from '#grammar/markup/workflow-command.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { outcomeOf } from '#stdlib/browser/recorded-step.ts';
import { failuresIn } from './junit-failures.ts';

/** Largest JUnit file (bytes). */
const LARGEST = 64 * 1024 * 1024;

export const WR_ci_emit_failures = command('WR_ci_emit_failures', ({ stream, file }, ctx) => {
  const failed = ctx.stepRecord.all().filter((step) => outcomeOf(step) === 'failed');
  const lines = failed.map(({ program_exception: message, function_name: title, ...place }) =>
    annotationLine(message, { file: file ?? place.file, line: file === null ? place.line : null, col: null, title }),
  );
  ctx.buildLog.write(stream ?? 'stdout', lines);
  return lines;
});

export const WR_ci_emit_from_junit_xml = command(
  'WR_ci_emit_from_junit_xml',
  async ({ junit_path: path, stream }, ctx) => {
    if (!(await ctx.files.find(path))) throw fail.fileNotFound({ path });
    const text = new TextDecoder().decode(await ctx.files.readRegular(path, { limit: LARGEST }));
    const root = ctx.xml.read(text);
    if (typeof root === 'string') throw fail.junitUnreadable({ path, reason: root });
    const lines = failuresIn(root).map(({ message, ...place }) => annotationLine(message, { ...place, col: null }));
    ctx.buildLog.write(stream ?? 'stdout', lines);
    return lines;
  },
);

export const WR_ci_format_error = command('WR_ci_format_error', ({ message, ...place }) =>
  annotationLine(message, place),
);

interface AnnotationPlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly col: number | null;
  readonly title: string | null;
}

function annotationLine(message: string, { file, line, col, title }: AnnotationPlace): string {
  return workflowCommand({ name: 'error', properties: { file, line, col, title }, message });
}
