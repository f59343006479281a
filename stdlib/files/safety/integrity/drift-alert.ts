import type { CheckSummary } from '#schemas/types/tree-check.ts';

/** Names of one kind that are told; the rest are counted. */
const SHOWN = 5;

export interface Alert {
  readonly subject: string;
  readonly body: string;
}

/**
 * One line a kind, what kept the check from comparing first. Names stand as JSON where they hold what would break the
 * line.
 */
export function driftAlert(
  root: string,
  { missing, modified, extra, error }: CheckSummary,
  alertOnExtra: boolean,
): Alert {
  const lines = error === undefined ? [] : [`error: ${error}`];
  const kinds = [
    ['missing', missing],
    ['modified', modified],
    ['extra', alertOnExtra ? extra : []],
  ] as const;
  for (const [kind, names] of kinds) if (names.length > 0) lines.push(`${kind}: ${listed(names)}`);
  return { subject: `integrity drift: ${root}`, body: lines.join('\n') };
}

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` (+${names.length - SHOWN} more)` : '';
  return (
    names
      .slice(0, SHOWN)
      .map((name) => (/[\0-\x1f\ud800-\udfff]/u.test(name) ? JSON.stringify(name) : name))
      .join(', ') + more
  );
}
