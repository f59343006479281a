import { nodeHost } from '#runtime/hosts/node.ts';
import type { FailedCall } from '#runtime/services/request-log/port.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { artifactPath } from '#stdlib/api/reports/artifact-path.ts';
import { badge, type Badge } from '#stdlib/api/reports/report/badge.ts';
import type { Exchanges } from '#stdlib/api/reports/report/fields.ts';
import { markdownReport } from '#stdlib/api/reports/report/markdown.ts';
import { folded } from '#stdlib/api/reports/notify/folded.ts';
import type { RequestRecord } from '#stdlib/api/run-records/request-record.ts';
import type { RunContext } from '#stdlib/api/run-records/run-context.ts';

import { get_run_context } from './records.ts';

export type { Badge };

interface OfRun {
  /** Run whose records are shown: the active one by default, none outside of any. */
  readonly context?: RunContext;
}

/** The badge of a run, as badge servers read it. */
export function render_badge({ label = 'tests', ...run }: { readonly label?: string } & OfRun = {}): Badge {
  return badge(label, exchangesOf(run));
}

/** Markdown of a run behind a line that opens it. */
export function build_pr_comment_body({ title = 'svc run', ...run }: { readonly title?: string } & OfRun = {}): string {
  return folded(title, markdownReport(title, exchangesOf(run)));
}

/** A coloured summary for terminals: counts, and the last five failures. */
export function render_terminal_summary(run: OfRun = {}): string {
  const { passed, failed } = exchangesOf(run);
  const failures = failed
    .slice(-5)
    .map(
      ({ call, error }) =>
        `  ${RED}${oneLine(`${String(call['http_method'])} ${String(call['test_url'])}: ${error}`)}${PLAIN}`,
    );
  return [
    `${GREEN}${passed.length} passed${PLAIN}, ${failed.length > 0 ? RED : ''}${failed.length} failed${failed.length > 0 ? PLAIN : ''}`,
    ...failures,
  ].join('\n');
}

const [RED, GREEN, PLAIN] = ['\u001B[31m', '\u001B[32m', '\u001B[39m'];

/** Control characters of an answer move no cursor. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ');
}

/** The path of a report: a relative name stands below the folder that `SVC_ARTIFACT_DIR` names, when it does. */
export function artifact_path(name: string): string {
  return artifactPath(name, { environment: { get: (key: string) => nodeHost().env[key] } as never });
}

function exchangesOf({ context }: OfRun): Exchanges {
  const records = (context ?? get_run_context())?.records() ?? [];
  return {
    passed: records.filter(({ outcome }) => outcome === 'passed').map(success),
    failed: records.filter(({ outcome }) => outcome === 'failed').map(failure),
    dropped: 0,
  };
}

function success(record: RequestRecord): JsonObject {
  const { request_method, request_url, status_code, response_time_ms } = record;
  return { request_method, request_url, status_code, elapsed: (response_time_ms ?? 0) / 1000 };
}

function failure({
  request_method,
  request_url,
  error,
  status_code,
  response_time_ms,
  start_time,
}: RequestRecord): FailedCall {
  return {
    call: { http_method: request_method, test_url: request_url },
    error: error?.message ?? '',
    status: status_code,
    elapsed_ms: response_time_ms,
    started_at: (start_time ?? 0) * 1000,
    kind_of_error: 'transport',
  };
}
