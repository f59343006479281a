import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Kind } from '../asking.ts';
import type { Amount } from '../figure.ts';

const answering = fileURLToPath(new URL('../answering.ts', import.meta.url));

/** Processor time (µs) that one request costs a server, the least of some runs. */
function cost(kind: Kind, who: 'ours' | 'document' | 'bare', runs = 3): number {
  const each = Array.from({ length: runs }, () => {
    const said = execFileSync(process.execPath, ['--conditions=source', answering, kind, who], { encoding: 'utf8' });
    return (JSON.parse(said) as { readonly microseconds: number }).microseconds;
  });
  return Math.min(...each);
}

function ratio(what: string, aim: number, kind: Kind, who: 'ours' | 'document' = 'ours'): Amount {
  const beside = kind === 'tcp' ? '`node:net`' : '`node:http`';
  return {
    name: `${what}: requests in a second of processor time, beside ${beside} that answers the same`,
    unit: 'x',
    aim,
    wanted: 'at-least',
    amount: () => Promise.resolve(cost(kind, 'bare') / cost(kind, who)),
  };
}

export const figures: readonly Amount[] = [
  ratio('HTTP action server', 0.5, 'http'),
  ratio('TCP action server', 0.5, 'tcp'),
  ratio('mock server', 0.85, 'mock'),
  ratio('mock server that judges requests by an OpenAPI document', 0.5, 'mock', 'document'),
];
