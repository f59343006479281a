import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compare, type Figure, type Result } from './figure.ts';

/** `npm run bench [-- FILTER]`: prints a table of ratios. Nothing is asserted: figures are for people. */
const filter = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const figuresFolder = new URL('figures/', import.meta.url);
console.log('| what | beside | svc | floor | ratio | aim |\n|---|---|---|---|---|---|');
for (const file of readdirSync(figuresFolder).toSorted()) {
  const { figures } = (await import(new URL(file, figuresFolder).href)) as { figures: readonly Figure[] };
  for (const figure of figures.filter(({ name }) => name.includes(filter) || file.includes(filter))) {
    const own = join(folder, String(Math.random()).slice(2));
    mkdirSync(own);
    try {
      for (const result of await compare(figure, own)) console.log(row(result));
    } catch (error) {
      console.log(`| ${figure.name} | ${figure.beside} | could not be measured: ${String(error).split('\n').slice(0, 3).join(' ')} | | | |`);
      process.exitCode = 1;
    }
  }
}
rmSync(folder, { recursive: true, force: true });

function row({ name, beside, subject, floor, ratio, aim, unit }: Result): string {
  const number = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
  return `| ${name}${unit === 'MiB' ? ', peak memory' : ''} | ${beside} | ${number(subject)} | ${number(floor)} | ${ratio.toFixed(2)}x | ${aim}x${ratio > aim ? ' missed' : ''} |`;
}
