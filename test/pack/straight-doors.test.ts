import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { straightenDoors } from '../../.ci/build/straight-doors.ts';

const files = {
  'cli/bin.js': 'const run=()=>import("../chunks/run-1.js"),plan=()=>import("../chunks/plan-1.js");',
  'chunks/room.js': 'import"./kept.js";let state=1,human=2;export{state,human};',
  'chunks/kept.js': 'let go=()=>import("./run-1.js");export{go};',
  'chunks/run-1.js': 'import{human,state}from"./room.js";import"./room.js";\nimport"./kept.js";export{state,human};',
  'chunks/plan-1.js': 'import{go}from"./kept.js";import"./room.js";export{go as default};',
};

test('a door that only passes on names of one chunk goes, and its callers load the chunk', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-doors-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const doors = new Set(['chunks/run-1.js', 'chunks/plan-1.js']);
  const left = await straightenDoors(folder, Object.keys(files).toSorted(), doors);
  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  expect(left).toEqual(['chunks/kept.js', 'chunks/plan-1.js', 'chunks/room.js', 'cli/bin.js']);
  expect(readdirSync(path.join(folder, 'chunks')).toSorted()).toEqual(['kept.js', 'plan-1.js', 'room.js']);
  expect(text('cli/bin.js')).toContain('import("../chunks/room.js"),plan=()=>import("../chunks/plan-1.js")');
  expect(text('chunks/kept.js')).toContain('import("./room.js")');
  expect(text('chunks/plan-1.js')).toBe('import{go}from"./kept.js";export{go as default};');
  expect(text('chunks/room.js')).toBe(files['chunks/room.js']);
});
