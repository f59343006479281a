import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Folders that a copy shares with the project, because nothing is written there. */
const SHARED = ['node_modules', '.cache/node', '.cache/gvfs', '.cache/json-schema-suite'];
const LEFT_OUT = new Set(['.git', '.cache', 'dist', 'node_modules']);

export interface Copy {
  readonly folder: string;
  remove(): void;
}

/**
 * A copy of the project's sources in a temporary folder: tests run in it, and a run that is killed leaves the project
 * as it was.
 */
export function copyOfProject(root: string): Copy {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-mutation-'));
  cpSync(root, folder, { recursive: true, filter: (from) => !LEFT_OUT.has(path.relative(root, from)) });
  for (const name of SHARED.filter((shared) => existsSync(path.join(root, shared)))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(path.join(root, name), path.join(folder, name), 'junction');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
