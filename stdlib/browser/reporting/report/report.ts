import { basename, join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { allureFileName } from '#schemas/types/allure.ts';
import { Failure } from '#schemas/types/failure.ts';
import { command } from '#stdlib/command.ts';

import { expectedPaths } from './expected-paths.ts';
import { resultCases } from './result-cases.ts';
import { splitSteps } from './split-steps.ts';
import { xmlTexts } from './xml-texts.ts';

type ReportContext = Base & Pick<Ports, 'stepRecord' | 'files' | 'random'>;

export const WR_generate_html = command('WR_generate_html', async (_, ctx) => await ctx.stepRecord.report('html'));

export const WR_generate_html_report = command('WR_generate_html_report', async ({ html_name: name }, ctx) => {
  await write(`${name}.html`, await ctx.stepRecord.report('html'), ctx);
  return null;
});

export const WR_generate_json = command('WR_generate_json', (_, ctx) => splitSteps(ctx.stepRecord.needed()));

export const WR_generate_json_report = command('WR_generate_json_report', async ({ json_file_name: name }, ctx) => {
  await writeJson(name, ctx);
  return null;
});

export const WR_generate_xml = command('WR_generate_xml', (_, ctx) => xmlTexts(ctx.stepRecord.needed(), 'one-line'));

export const WR_generate_xml_report = command('WR_generate_xml_report', async ({ xml_file_name: name }, ctx) => {
  await writeXml(name, ctx);
  return null;
});

export const WR_generate_junit_xml = command('WR_generate_junit_xml', async (_, ctx) =>
  (await ctx.stepRecord.report('junit')).replace(/^<\?xml[^>]*\?>\n/, ''),
);

export const WR_generate_junit_xml_report = command(
  'WR_generate_junit_xml_report',
  async ({ junit_file_name: name }, ctx) => {
    await write(`${name}_junit.xml`, await ctx.stepRecord.report('junit'), ctx);
    return null;
  },
);

export const WR_generate_reportfmt = command('WR_generate_reportfmt', (_, ctx) =>
  resultCases(ctx.stepRecord.needed(), () => ctx.random.uuid()),
);

export const WR_generate_reportfmt_report = command(
  'WR_generate_reportfmt_report',
  async ({ output_dir: folder }, ctx) => await writeCases(folder, ctx),
);

export const WR_report_expected_paths = command('WR_report_expected_paths', ({ base_name, reportfmt_dir }) =>
  expectedPaths(base_name, reportfmt_dir),
);

export const WR_generate_all_reports = command('WR_generate_all_reports', async (params, ctx) => {
  const { base_name: base, reportfmt_dir: folder } = params;
  const writers: readonly (readonly [format: string, write: () => Promise<string[]>])[] = [
    ['json', () => writeJson(base, ctx)],
    ['xml', () => writeXml(base, ctx)],
    ['html', async () => [await write(`${base}.html`, await ctx.stepRecord.report('html'), ctx)]],
    ['junit', async () => [await write(`${base}_junit.xml`, await ctx.stepRecord.report('junit'), ctx)]],
    ...(folder ? ([['reportfmt', () => writeCases(folder, ctx)]] as const) : []),
  ];
  const produced: Record<string, string[]> = {};
  const errors: Record<string, string> = {};
  let last: unknown;
  for (const [format, produce] of writers) {
    try {
      produced[format] = await produce();
    } catch (error) {
      ctx.signal.throwIfAborted();
      last = error;
      errors[format] = error instanceof Error ? error.message : String(error);
    }
  }
  if (Object.keys(produced).length === 0)
    throw last instanceof Failure && last.facts.name === 'step-record-empty'
      ? last
      : fail.reportsAllFailed({ base: basename(base), cause: last });
  const manifest = params.write_manifest ? await manifestOf(base, { produced, errors }, ctx) : null;
  return { produced, errors, manifest_path: manifest };
});

async function manifestOf(base: string, content: object, ctx: ReportContext): Promise<string | null> {
  const text = `${JSON.stringify({ base_name: base, ...content }, null, 2)}\n`;
  return await write(`${base}.manifest.json`, text, ctx).catch(() => null);
}

async function writeJson(name: string, ctx: ReportContext): Promise<string[]> {
  const [passed, failed] = splitSteps(ctx.stepRecord.needed());
  return [
    await write(`${name}_success.json`, `${JSON.stringify(passed, null, 4)}\n`, ctx),
    await write(`${name}_failure.json`, `${JSON.stringify(failed, null, 4)}\n`, ctx),
  ];
}

async function writeXml(name: string, ctx: ReportContext): Promise<string[]> {
  const [passed, failed] = xmlTexts(ctx.stepRecord.needed(), 'indented');
  return [await write(`${name}_success.xml`, passed, ctx), await write(`${name}_failure.xml`, failed, ctx)];
}

async function writeCases(folder: string, ctx: ReportContext): Promise<string[]> {
  const paths: string[] = [];
  for (const one of resultCases(ctx.stepRecord.needed(), () => ctx.random.uuid()))
    paths.push(await write(join(folder, allureFileName(one, 'result')), `${JSON.stringify(one, null, 2)}\n`, ctx));
  return paths;
}

/** Writes a report whole, makes missing folders, and yields its path. */
async function write(path: string, text: string, ctx: Base & Pick<Ports, 'files'>): Promise<string> {
  await ctx.files.write(path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return path;
}
