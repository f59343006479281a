import { escapeXml } from '#grammar/markup/escape-xml.ts';
import type { Reporter, ReporterTarget, RunOutcome, StepView, UnitInfo } from '#runtime/kernel/events.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { causes, helpOf, valueText } from './failure-text.ts';
import { keptFiles, type KeptFile } from './kept-paths.ts';
import { unitName } from './unit-name.ts';

interface Suite {
  readonly info: UnitInfo;
  readonly cases: string[];
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  ms: number;
}

/** JUnit XML: a test suite a file, a test case a step (and row). Failures of the environment are `error`s. */
export function junit(target: ReporterTarget): Reporter {
  const suites = new Map<string, Suite>();
  let started = '';
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'run-started') {
        started = event.started_at;
        for (const info of event.units)
          suites.set(info.source, { info, cases: [], tests: 0, failures: 0, errors: 0, skipped: 0, ms: 0 });
      }
      if (event.kind === 'step-finished' && !event.record.superseded)
        addCase(suites.get(event.step.source), event.step, event.record, keptFiles(event.evidence));
      if (event.kind === 'unit-finished') {
        const suite = suites.get(event.source);
        if (suite) suite.ms += event.duration_ms;
        if (suite && event.reason !== undefined) addReason(suite, event.status, event.reason);
      }
      if (event.kind === 'run-finished') addRefusal([...suites.values()], event.outcome);
      if (event.kind === 'run-finished')
        target.write(document([...suites.values()], started, event.outcome.duration_ms), 'lines');
    },
  };
}

function addCase(suite: Suite | undefined, step: StepView, record: RunRecord, kept: readonly KeptFile[]): void {
  if (!suite) return;
  suite.tests += 1;
  const row = record.row === undefined ? '' : ` [row ${record.row}]`;
  const name = `${step.name ?? record.command} (${record.id.slice(step.source.length + 1)})${row}`;
  const open = `<testcase name="${escapeXml(name)}" classname="${escapeXml(step.source)}" file="${escapeXml(record.file)}" line="${record.line}" time="${seconds(record.duration_ms)}"`;
  suite.cases.push(`    ${open}${body(suite, record, kept)}`);
}

/** Adds a case for a file that failed beside its steps, or never began; skipped steps tell that of themselves. */
function addReason(suite: Suite, status: 'passed' | 'failed' | 'skipped', reason: string): void {
  if (status === 'skipped' && suite.tests > 0) return;
  suite.tests += 1;
  if (status === 'failed') suite.errors += 1;
  else suite.skipped += 1;
  const { source } = suite.info;
  const tag = status === 'failed' ? 'error type="file"' : 'skipped';
  suite.cases.push(
    `    <testcase name="(file)" classname="${escapeXml(source)}" file="${escapeXml(unitName(source).file)}" time="0.000"><${tag} message="${escapeXml(reason)}"/></testcase>`,
  );
}

/** Adds a case for what kept the run from beginning: a document without failures would read as passed. */
function addRefusal([suite]: readonly Suite[], { refused = [] }: RunOutcome): void {
  if (suite) for (const { message } of refused) addReason(suite, 'failed', message);
}

function body(suite: Suite, record: RunRecord, kept: readonly KeptFile[]): string {
  if (record.status === 'skipped' || record.status === 'dry-run') {
    suite.skipped += 1;
    return `><skipped message="${escapeXml(record.reason ?? record.status)}"/></testcase>`;
  }
  if (record.status === 'passed') return '/>';
  const { error } = record;
  const tag = error?.class === 'environment' ? 'error' : 'failure';
  if (tag === 'error') suite.errors += 1;
  else suite.failures += 1;
  const lines = [`${record.file}:${record.line}:${record.column}`, error?.message ?? ''];
  if (error?.actual !== undefined) lines.push(`actual:   ${valueText(error.actual)}`);
  if (error?.expected !== undefined) lines.push(`expected: ${valueText(error.expected)}`);
  if (error) lines.push(...causes(error).map((cause) => `because: ${cause}`), ...[helpOf(error) ?? []].flat());
  const told = `type="${escapeXml(error?.name ?? 'Failure')}" message="${escapeXml(error?.message ?? '')}"`;
  return `><${tag} ${told}>${escapeXml(lines.join('\n'))}</${tag}>${attachments(kept)}</testcase>`;
}

/** In the words that build servers know for files of a test case. */
function attachments(kept: readonly KeptFile[]): string {
  if (kept.length === 0) return '';
  return `<system-out>${escapeXml(kept.map(({ path }) => `[[ATTACHMENT|${path}]]`).join('\n'))}</system-out>`;
}

function document(suites: readonly Suite[], started: string, ms: number): string {
  const sum = (key: 'tests' | 'failures' | 'errors' | 'skipped'): number =>
    suites.reduce((total, suite) => total + suite[key], 0);
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  lines.push(
    `<testsuites name="svc" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}" skipped="${sum('skipped')}" time="${seconds(ms)}">`,
  );
  for (const suite of suites) {
    const { source, name } = suite.info;
    const { file, combination } = unitName(source);
    const shown = name === undefined || combination === undefined ? (name ?? source) : `${name} [${combination}]`;
    const counts = `tests="${suite.tests}" failures="${suite.failures}" errors="${suite.errors}" skipped="${suite.skipped}"`;
    lines.push(
      `  <testsuite name="${escapeXml(shown)}" file="${escapeXml(file)}" ${counts} time="${seconds(suite.ms)}" timestamp="${started.replace(/\.\d+Z$|Z$/, '')}">`,
    );
    addAll(lines, suite.cases);
    lines.push('  </testsuite>');
  }
  lines.push('</testsuites>');
  return `${lines.join('\n')}\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
