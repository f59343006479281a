import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Run } from './measure.ts';
import { svc } from './paths.ts';

export type Action = readonly [name: string, params: Readonly<Record<string, unknown>>];

/** A compiled program of some actions, as it is run again and again. */
export function actionProgram(folder: string, ...actions: readonly Action[]): Run {
  writeFileSync(join(folder, 'action.json'), JSON.stringify({ actions }));
  execFileSync(process.execPath, [svc, 'compile', 'action.json', '--out', 'program'], { cwd: folder, stdio: 'ignore' });
  return { program: process.execPath, args: ['program/action.mjs', '--record', 'record.jsonl'], cwd: folder };
}
