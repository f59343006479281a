import { escapeXml } from '#grammar/markup/escape-xml.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { asText, failureRows, requestName } from './fields.ts';
import type { Exchanges, FailedCall } from './fields.ts';

/**
 * A JUnit test suite: a test case for each record. Failures of the configuration and of the runner itself are errors.
 */
export function junitReport(suite: string, { passed, failed }: Exchanges): string {
  const errors = failed.filter(isError).length;
  const seconds = [...passed.map(secondsTaken), ...failed.map(secondsOf)];
  const total = seconds.reduce((sum, part) => sum + part, 0);
  const name = escapeXml(suite);
  const open = (title: string, time: number): string =>
    `  <testcase name="${escapeXml(title)}" classname="${name}" time="${time.toFixed(3)}">`;
  const cases = [
    ...passed.map((record, index) => {
      const title = addressOf(record['request_url'] ?? record['url']) ?? `success_${index + 1}`;
      return `${open(title, secondsTaken(record))}<system-out>${escapeXml(asText(record['status_code']))}</system-out></testcase>`;
    }),
    ...failed.map((failure, index) => {
      const { call } = failure;
      const title = addressOf(call['test_url'] ?? call['url']) ?? `failure_${index + 1}`;
      const tag = isError(failure) ? 'error' : 'failure';
      const body = [requestName(call), ...failureRows(failure).map(([field, text]) => `${field}: ${text}`)].join('\n');
      return `${open(title, secondsOf(failure))}<${tag} type="${failure.kind_of_error}" message="${escapeXml(failure.error)}">${escapeXml(body)}</${tag}></testcase>`;
    }),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${name}" tests="${passed.length + failed.length}" failures="${failed.length - errors}" errors="${errors}" time="${total.toFixed(3)}"${began({ passed, failed })}>
${cases.map((line) => `${line}\n`).join('')}</testsuite>
`;
}

/** Attribute with the time at which the first request began; none without requests. */
function began({ passed, failed }: Pick<Exchanges, 'passed' | 'failed'>): string {
  const times = [
    ...passed.map((record) => Date.parse(asText(record['start_time']))),
    ...failed.map((each) => each.started_at),
  ];
  const first = times.reduce((least, time) => Math.min(least, time), Infinity);
  return Number.isFinite(first) ? ` timestamp="${new Date(first).toISOString().slice(0, 19)}"` : '';
}

/** Whether the tool or its configuration failed, not what was tested. */
export function isError({ kind_of_error: kind }: FailedCall): boolean {
  return kind === 'configuration' || kind === 'runner_internal';
}

function addressOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Time of what passed; an exchange of many messages has no other than from its start to its end. */
function secondsTaken({ request_time_sec: seconds, start_time: start, end_time: end }: JsonObject): number {
  if (typeof seconds === 'number') return seconds;
  const ms = Date.parse(asText(end)) - Date.parse(asText(start));
  return Number.isFinite(ms) ? ms / 1000 : 0;
}

function secondsOf({ elapsed_ms: ms }: FailedCall): number {
  return (ms ?? 0) / 1000;
}
