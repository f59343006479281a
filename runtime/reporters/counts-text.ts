import type { Counts } from '#runtime/kernel/events.ts';

/** `12 passed (1 flaky), 1 failed, 3 skipped`; what is none is left out, but for passed. */
export function countsText(counts: Counts): string {
  const parts: string[] = [];
  if (counts.passed > 0 || counts.dry_run === 0)
    parts.push(`${counts.passed} passed${counts.flaky > 0 ? ` (${counts.flaky} flaky)` : ''}`);
  if (counts.dry_run > 0) parts.push(`${counts.dry_run} shown`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.skipped > 0) parts.push(`${counts.skipped} skipped`);
  return parts.join(', ');
}
