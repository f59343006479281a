import { readdirSync } from 'node:fs';

import { compare, type Amount, type Figure } from './figure.ts';
import { scratch } from './scratch.ts';
import { amountRow, head, rows } from './table.ts';

/** `npm run bench [-- FILTER]`: prints a table of ratios. Nothing is asserted: figures are for people. */
const filter = process.argv[2] ?? '';
const figuresFolder = new URL('figures/', import.meta.url);
console.log(head);
for (const file of readdirSync(figuresFolder).toSorted()) {
  const { figures } = (await import(new URL(file, figuresFolder).href)) as { figures: readonly (Figure | Amount)[] };
  for (const figure of figures) {
    if (!figure.name.includes(filter) && !file.includes(filter)) continue;
    const { folder, remove } = scratch();
    try {
      console.log(
        'amount' in figure
          ? amountRow(figure, await figure.amount(folder))
          : rows(figure, await compare(figure, folder)),
      );
    } catch (error) {
      console.log(
        `| ${figure.name} | could not be measured: ${String(error).split('\n').slice(0, 3).join(' ')} | | | | | |`,
      );
      process.exitCode = 1;
    } finally {
      remove();
    }
  }
}
