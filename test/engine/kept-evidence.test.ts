import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { KeptEvidence } from '#compiler/engine/kept/evidence.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';

import { record, view } from '../reporters/sample-run.ts';

test('evidence of a step is written once for all reporters, and its record names it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-kept-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const kept = new KeptEvidence(join(root, 'r'), { cwd: root, bounds: [root] });
  const heard: RunEvent[] = [];
  const reporters = [1, 2].map(() => kept.told({ event: (event) => void heard.push(event) }, true));
  const step = view(1);
  const failed = record(step, { status: 'failed' });
  const evidence = [
    { kind: 'picture', name: 'page', mediaType: 'image/png', bytes: Uint8Array.of(7) },
    { kind: 'text', name: 'console', text: 'said', file: 'console.txt' },
  ] as const;
  const event = { kind: 'step-finished', step, record: failed, evidence } as const;
  for (const reporter of reporters) reporter.event(event);
  const paths = ['r/failure-1/picture.png', 'r/failure-1/console.txt'];
  expect(kept.linked(failed).evidence).toEqual(paths);
  expect(heard[1]).toBe(heard[0]);
  await reporters[0]?.end?.();
  expect(readFileSync(join(root, paths[1] ?? ''), 'utf8')).toBe('said');
  expect(kept.linked(record(view(2)))).not.toHaveProperty('evidence');

  // Pictures of a step that passed, which approved one say, are no failure's.
  const passed = { ...event, step: view(2), record: record(view(2)) };
  for (const reporter of reporters) reporter.event(passed);
  expect(kept.linked(passed.record).evidence).toEqual(['r/passed-1/picture.png', 'r/passed-1/console.txt']);
  const next = { ...event, step: view(3), record: record(view(3), { status: 'failed' }) };
  for (const reporter of reporters) reporter.event(next);
  expect(kept.linked(next.record).evidence?.[0]).toBe('r/failure-2/picture.png');
  await kept.written();

  // Placed by the process of its file: nothing is written again.
  const parent = new KeptEvidence(join(root, 'p'), { cwd: root, bounds: [root] });
  const [placed] = heard;
  if (placed) expect(parent.placed(placed)).toBe(placed);
  expect(parent.any).toBe(true);
});
