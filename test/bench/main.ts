import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compare, type Amount, type Figure } from './figure.ts';
import { amountRow, head, rows } from './table.ts';

/** `npm run bench [-- FILTER]`: prints a table of ratios. Nothing is asserted: figures are for people. */
const filter = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const figuresFolder = new URL('figures/', import.meta.url);
console.log(head);
for (const file of readdirSync(figuresFolder).toSorted()) {
  const { figures } = (await import(new URL(file, figuresFolder).href)) as { figures: readonly (Figure | Amount)[] };
  for (const [index, figure] of figures.entries()) {
    if (!figure.name.includes(filter) && !file.includes(filter)) continue;
    const own = join(folder, `${file}-${index}`);
    mkdirSync(own);
    try {
      console.log('amount' in figure ? amountRow(figure, await figure.amount(own)) : rows(figure, await compare(figure, own)));
    } catch (error) {
      console.log(`| ${figure.name} | could not be measured: ${String(error).split('\n').slice(0, 3).join(' ')} | | | | | |`);
      process.exitCode = 1;
    }
  }
}
rmSync(folder, { recursive: true, force: true });
