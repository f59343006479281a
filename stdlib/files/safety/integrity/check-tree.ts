import type { CheckedTree, CheckSummary } from '#schemas/types/tree-check.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { compareTree } from '../manifest/compare-tree.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import type { ManifestTools } from '../manifest/record-tree.ts';
import { asFailureText } from './failure-text.ts';

/**
 * Compares a tree with its manifest. A reason that keeps it from comparing is an answer too; only an end from
 * outside rejects.
 */
export async function checkTree(
  tools: ManifestTools,
  { root, manifest_path, alert_on_extra }: CheckedTree,
): Promise<CheckSummary> {
  try {
    await requireFolder(tools.files, root);
    const manifest = await readManifest(tools.files, manifest_path, root);
    const errors: unknown[] = [];
    const summary = await compareTree(tools, {
      root,
      manifest: manifest_path,
      digest: digestNamed(manifest.algorithm),
      recorded: manifest.files,
      unread: (error) => void errors.push(error),
    });
    const [error] = errors;
    return {
      ...summary,
      ok: summary.ok && !(alert_on_extra && summary.extra.length > 0),
      ...(error !== undefined && { error: asFailureText(error) }),
    };
  } catch (error) {
    tools.signal.throwIfAborted();
    return { matched: [], missing: [], modified: [], extra: [], ok: false, error: asFailureText(error) };
  }
}

/** The same text for the same differences. */
export function driftOf({ missing, modified, extra, ok, error }: CheckSummary, alertOnExtra: boolean): string {
  return ok ? '' : JSON.stringify([error ?? null, missing, modified, alertOnExtra ? extra : []]);
}
