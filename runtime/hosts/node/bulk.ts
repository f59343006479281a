import type { Bulk } from './host-parts.ts';
import { copyMany } from './copy/copy-many.ts';
import { digestFile } from './digest/digest-file.ts';
import { sameContent } from './read/same-content.ts';
import { tellApart } from './read/tell-apart.ts';

export const bulk: Bulk = { copyMany, digest: digestFile, sameContent, tellApart };
