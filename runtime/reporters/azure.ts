import type { Reporter, ReporterTarget, StepView } from '#runtime/kernel/events.ts';
import type { RecordedError, RunRecord } from '#schemas/types/record.ts';

import { comparedLines, spotOf } from './failure-text.ts';
import { fullTitleOf } from './step-title.ts';
import { unitName } from './unit-name.ts';

/** Logging commands of Azure Pipelines: an error at the place of each failed step, a warning for each flaky one. */
export function azure(target: ReporterTarget): Reporter {
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'step-finished' && !event.record.superseded) {
        const { step, record } = event;
        if (record.status === 'failed') target.write(issue('error', step, record, failedText(record)), 'lines');
        else if (record.flaky)
          target.write(issue('warning', step, record, `Passed after ${record.attempts} attempts.`), 'lines');
      }
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        target.write(
          `##vso[task.logissue type=error;sourcepath=${property(unitName(event.source).file)}]${data(event.reason)}\n`,
          'lines',
        );
      if (event.kind === 'run-finished')
        for (const { message, place } of event.outcome.refused ?? [])
          target.write(`##vso[task.logissue type=error;${place ? placed(place) : ''}]${data(message)}\n`, 'lines');
    },
  };
}

function issue(type: 'error' | 'warning', step: StepView, record: RunRecord, text: string): string {
  const { line, column } = spotOf(step, record, record.error?.expectations?.[0]);
  const place = placed({ file: record.file, line, column });
  return `##vso[task.logissue type=${type};${place}]${data(`${fullTitleOf(step)}: ${text}`)}\n`;
}

function placed({ file, line, column }: NonNullable<RecordedError['place']>): string {
  return `sourcepath=${property(file)};linenumber=${line};columnnumber=${column};`;
}

function failedText({ error }: RunRecord): string {
  return [error?.message ?? 'The step failed.', ...comparedLines(error ?? {})].join('\n');
}

/** A message stands on one line. */
function data(text: string): string {
  return text.replaceAll('##', '# #').replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(';', '%3B').replaceAll(']', '%5D');
}
