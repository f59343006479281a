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

/** Flags of Node that the script needs. */
export const ownFlags: readonly string[] = isSource
  ? ['--conditions=source', '--disable-warning=ExperimentalWarning']
  : [];
