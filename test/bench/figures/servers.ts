import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Amount } from '../figure.ts';

const answering = fileURLToPath(new URL('../answering.ts', import.meta.url));

/** Processor time (µs) that one request costs a server, the least of some runs. */
function cost(kind: 'http' | 'tcp', who: 'ours' | 'bare', runs = 3): number {
  const each = Array.from({ length: runs }, () => {
    const said = execFileSync(process.execPath, ['--conditions=source', answering, kind, who], { encoding: 'utf8' });
    return (JSON.parse(said) as { readonly microseconds: number }).microseconds;
  });
  return Math.min(...each);
}

function ratio(kind: 'http' | 'tcp', beside: string): Amount {
  return {
    name: `${kind.toUpperCase()} action server: requests in a second of processor time, beside ${beside} that answers the same`,
    unit: 'x',
    aim: 0.5,
    wanted: 'at-least',
    amount: () => Promise.resolve(cost(kind, 'bare') / cost(kind, 'ours')),
  };
}

export const figures: readonly Amount[] = [ratio('http', '`node:http`'), ratio('tcp', '`node:net`')];
