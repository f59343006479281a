import { workflowCommand, type WorkflowCommand } from '#grammar/markup/workflow-command.ts';
import type { Reporter, ReporterTarget, StepView } from '#runtime/kernel/events.ts';
import type { RecordedError, RunRecord } from '#schemas/types/record.ts';

import { causes, comparedLines, helpOf, spotOf } from './failure-text.ts';
import { GithubSummary } from './github-summary.ts';
import { fullTitleOf } from './step-title.ts';
import { unitName } from './unit-name.ts';

/**
 * Workflow commands of GitHub Actions: an annotation at the failing step's place; and a summary for the page of the
 * build, where there is one.
 */
export function github(target: ReporterTarget): Reporter {
  const { appendToPage } = target;
  const summary = appendToPage && new GithubSummary();
  return {
    showsEvidence: false,
    event(event) {
      summary?.event(event);
      if (event.kind === 'step-finished' && event.record.status === 'failed' && !event.record.superseded)
        target.write(annotation('error', event.step, event.record), 'lines');
      if (event.kind === 'step-finished' && event.record.flaky && !event.record.superseded)
        target.write(annotation('warning', event.step, event.record), 'lines');
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        target.write(line('error', event.reason, { file: unitName(event.source).file }), 'lines');
      if (event.kind === 'run-finished')
        for (const { message, help, place } of event.outcome.refused ?? [])
          target.write(line('error', [message, ...[help ?? []].flat()].join('\n'), placed(place)), 'lines');
      if (event.kind === 'notice' && event.level === 'warning') target.write(line('warning', event.text, {}), 'lines');
    },
    async end() {
      if (!summary) return;
      try {
        await appendToPage(summary.text());
      } catch (error) {
        // The run is what it was without its summary.
        target.write(
          line('warning', error instanceof Error ? error.message : String(error), { title: 'No summary of the run' }),
          'lines',
        );
      }
    },
  };
}

function annotation(level: 'error' | 'warning', step: StepView, record: RunRecord): string {
  const { error } = record;
  const title = level === 'warning' ? `Flaky: ${fullTitleOf(step)}` : `${fullTitleOf(step)} failed`;
  const lines =
    level === 'warning' ? [`Passed after ${record.attempts} attempts.`] : [error?.message ?? 'The step failed.'];
  if (error)
    lines.push(
      ...comparedLines(error),
      ...causes(error).map((cause) => `because: ${cause}`),
      ...[helpOf(error) ?? []].flat(),
    );
  for (const { message } of error?.expectations?.slice(1) ?? []) lines.push(message);
  const { line: at, column: col } = spotOf(step, record, error?.expectations?.[0]);
  return line(level, lines.join('\n'), { file: record.file, line: at, col, title });
}

function placed(place: RecordedError['place']): WorkflowCommand['properties'] {
  return place ? { file: place.file, line: place.line, col: place.column } : {};
}

function line(name: 'error' | 'warning', message: string, properties: WorkflowCommand['properties']): string {
  return `${workflowCommand({ name, properties, message })}\n`;
}
