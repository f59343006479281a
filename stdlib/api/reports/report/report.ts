import { join } from 'node:path';

import { allureFileName } from '#schemas/types/allure.ts';
import { commandRaising } from '#stdlib/command.ts';

import { writeReport } from '../write-report.ts';
import { badge } from './badge.ts';
import { junitReport } from './junit-report.ts';
import { markdownReport } from './markdown.ts';
import { resultFiles } from './result-files.ts';

const command = commandRaising('APITesterException');

export const AT_generate_junit_report = command('AT_generate_junit_report', async ({ file_name, suite_name }, ctx) =>
  writeReport(file_name, junitReport(suite_name, ctx.requestLog.exchanges(ctx.step)), ctx),
);

export const AT_generate_reportfmt_report = command('AT_generate_reportfmt_report', async ({ directory }, ctx) => {
  const digestOf = (text: string): string => {
    const digest = ctx.digests.open('sha256');
    digest.update(new TextEncoder().encode(text));
    return digest.hex().slice(0, 32);
  };
  const tools = { uuid: () => ctx.random.uuid(), digest: digestOf };
  const paths: string[] = [];
  for (const result of resultFiles(ctx.requestLog.exchanges(ctx.step), tools))
    paths.push(
      await writeReport(join(directory, allureFileName(result, 'result')), `${JSON.stringify(result)}\n`, ctx),
    );
  return paths;
});

export const AT_render_markdown = command('AT_render_markdown', ({ title }, ctx) =>
  markdownReport(title, ctx.requestLog.exchanges(ctx.step)),
);

export const AT_generate_markdown_report = command('AT_generate_markdown_report', async ({ file_name, title }, ctx) =>
  writeReport(file_name, markdownReport(title ?? 'svc Report', ctx.requestLog.exchanges(ctx.step)), ctx),
);

export const AT_generate_badge = command('AT_generate_badge', async ({ file_name, label }, ctx) =>
  writeReport(file_name, `${JSON.stringify(badge(label, ctx.requestLog.exchanges(ctx.step)))}\n`, ctx),
);
