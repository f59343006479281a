import type { Trees } from './host-parts.ts';
import { survey } from './read/survey.ts';
import { moveInto } from './write/move-into.ts';
import { removeTree } from './write/remove-tree.ts';
import { sweepTemporary, temporaryDirectory } from './write/temporary-directory.ts';

export const trees: Trees = { moveInto, removeTree, survey, sweepTemporary, temporaryDirectory };
