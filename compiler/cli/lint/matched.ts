import { basename } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** Longest time that all patterns together may take for one file. */
const LIMIT_MS = 1000;

/**
 * Whether a file is one that patterns of the configuration name. The patterns may be a stranger's, and some take time
 * without end: they are matched under a limit, and one that reaches it is an error of the configuration.
 */
export async function matchedBy(
  patterns: readonly string[],
  key: string,
  file: string | undefined,
  host: Host,
): Promise<(source: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { default: picomatch } = await import('picomatch');
  const unfit = (reason: string): Error => fail.configUnfit({ path: file ?? basename(host.cwd), key, reason });
  let expression: string;
  try {
    expression = patterns.map((pattern) => `(?:${picomatch.makeRe(pattern, { dot: true }).source})`).join('|');
  } catch (cause) {
    throw unfit(cause instanceof Error ? cause.message : String(cause));
  }
  return (source) => {
    try {
      return host.match(expression, '', source, LIMIT_MS) !== null;
    } catch {
      throw unfit(`the patterns take longer than ${LIMIT_MS / 1000} s for "${source}"`);
    }
  };
}
