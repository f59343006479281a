import { fileURLToPath } from 'node:url';

import { packageFolder } from './package-folder.ts';

const isSource = import.meta.url.endsWith('.ts');

/**
 * Script of the command line, for a process of its own: the source file where this runs from sources, else the built
 * one.
 */
export const ownScript: string = fileURLToPath(
  isSource ? new URL('../../cli/bin.ts', import.meta.url) : new URL('dist/bin/svc.js', packageFolder),
);

/** Flags of Node that the script and the module need. */
export const ownFlags: readonly string[] = isSource
  ? ['--conditions=source', '--disable-warning=ExperimentalWarning']
  : [];

/** Address of the module of action lists, for a thread of its own. */
export const ownModule: string = (
  isSource
    ? new URL('../compile-actions.ts', import.meta.url)
    : new URL('dist/compiler/engine/compile-actions.js', packageFolder)
).href;
