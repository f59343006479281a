import { basename } from 'node:path';

import { commandRaising } from '#stdlib/command.ts';

import { writeReport } from '../write-report.ts';
import { htmlPage, htmlTables } from './html-report.ts';
import { needed } from './needed.ts';

const command = commandRaising('APIHTMLException');

export const AT_generate_html = command('AT_generate_html', (_, ctx) =>
  htmlTables(needed(ctx)).map((tables) => tables.map(({ text }) => text)),
);

export const AT_generate_html_report = command('AT_generate_html_report', async ({ html_file_name: name }, ctx) => {
  const exchanges = needed(ctx);
  await writeReport(`${name}.html`, htmlPage(`API test report: ${basename(name)}`, exchanges), ctx);
});
