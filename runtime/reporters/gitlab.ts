import type { Reporter, ReporterTarget } from '#runtime/kernel/events.ts';

import { comparedLines, spotOf } from './failure-text.ts';
import { jsonText } from './outgoing.ts';
import { fullTitleOf } from './step-title.ts';
import { unitName } from './unit-name.ts';

/** A finding of a GitLab code quality report. */
interface Finding {
  readonly description: string;
  readonly check_name: string;
  /** The same for the same step in every run, and for no other step of a report. */
  readonly fingerprint: string;
  readonly severity: 'major' | 'minor';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** Code quality report of GitLab: failed steps are major findings, flaky ones minor. */
export function gitlab(target: ReporterTarget): Reporter {
  const findings: Finding[] = [];
  const seen = new Map<string, number>();
  let first = '';
  const add = (key: string, finding: Omit<Finding, 'fingerprint'>): void => {
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    findings.push({ ...finding, fingerprint: fingerprintOf(times === 0 ? key : `${key} ${times}`) });
  };
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'step-finished' && !event.record.superseded) {
        const { step, record } = event;
        const { file: path, command, row, id } = record;
        if (record.status !== 'failed' && !record.flaky) return;
        const isFailed = record.status === 'failed';
        const text = isFailed
          ? [record.error?.message ?? 'The step failed.', ...comparedLines(record.error ?? {})].join(' ')
          : `Passed after ${record.attempts} attempts.`;
        const { line: begin } = spotOf(step, record, record.error?.expectations?.[0]);
        add(`${id} ${row ?? ''} ${record.status}`, {
          description: `${fullTitleOf(step)}: ${text}`,
          check_name: record.error?.code ?? command,
          severity: isFailed ? 'major' : 'minor',
          location: { path, lines: { begin } },
        });
      }
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        add(event.source, {
          description: event.reason,
          check_name: 'file',
          severity: 'major',
          location: { path: unitName(event.source).file, lines: { begin: 1 } },
        });
      // Findings without a file are dropped: the first of those that were to run stands in.
      if (event.kind === 'run-started') first = unitName(event.units[0]?.source ?? '').file;
      if (event.kind === 'run-finished')
        for (const { message, code, place } of event.outcome.refused ?? [])
          add(`run ${message}`, {
            description: message,
            check_name: code ?? 'run',
            severity: 'major',
            location: { path: place?.file ?? first, lines: { begin: place?.line ?? 1 } },
          });
      if (event.kind === 'run-finished') target.write(`${jsonText(findings, 2)}\n`, 'json');
    },
  };
}

/** 64 bits of FNV-1a, in hex: findings are told apart by it, nothing is protected. */
function fingerprintOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
