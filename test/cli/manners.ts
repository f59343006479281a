import { expect } from 'vitest';

import type { Said } from './svc.ts';

/**
 * Wrong input is a diagnostic: no stack, no bug, no engine's own words alone, and nothing that a terminal would obey.
 */
export function expectManners({ stdout, stderr, exit }: Said, what: string): void {
  expect([0, 1, 2], `${what}\n${stderr.slice(0, 2_000)}`).toContain(exit);
  expect(stderr, what).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(stderr, what).not.toContain('svc itself failed');
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
  expect(stderr, what).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  if (exit === 2) expect(stderr, what).toMatch(/(?:^|\n)error\[SVC\d{5}\]: .+/);
  if (exit === 1) expect(stdout + stderr, what).toMatch(/SVC\d{5}/);
}
