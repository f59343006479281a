import { styleText } from 'node:util';

import type { Finding } from '#compiler/engine/doctor.ts';

const marks = { ok: ['✓', 'green'], missing: ['–', 'yellow'], broken: ['✗', 'red'] } as const;

export function doctorText(version: string, findings: readonly Finding[], colour: boolean): string {
  const width = Math.max(...findings.map(({ what }) => what.length)) + 2;
  const lines = findings.flatMap(({ what, state, detail, meaning }) => {
    const [mark, tone] = marks[state];
    const line = `${colour ? styleText(tone, mark, { validateStream: false }) : mark} ${what.padEnd(width)}${detail}`;
    return meaning === undefined ? [line] : [line, `${' '.repeat(width + 2)}${meaning}`];
  });
  return `svc ${version}\n${lines.join('\n')}\n`;
}
