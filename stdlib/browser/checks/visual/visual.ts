import { baselineExists, baselineMissing, baselineNotPng, pictureDiffers } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { compare, type Region } from './compare.ts';

export const WR_visual_capture_baseline = command(
  'WR_visual_capture_baseline',
  async ({ baseline_path, overwrite }, ctx) => {
    requirePng(baseline_path);
    if (!overwrite && (await ctx.files.find(baseline_path))) throw baselineExists({ path: baseline_path });
    const bytes = await ctx.webdriver.current.picture(ctx);
    await ctx.files.write(baseline_path, bytes, { parents: true, durable: ctx.durable, signal: ctx.signal });
    ctx.attach({ kind: 'picture', name: 'baseline', mediaType: 'image/png', bytes });
    return baseline_path;
  },
);

export const WR_visual_compare = command('WR_visual_compare', async (params, ctx) => {
  const { baseline_path, current_path } = params;
  requirePng(baseline_path);
  if (!(await ctx.files.find(baseline_path))) throw baselineMissing({ path: baseline_path });
  const baseline = await ctx.files.read(baseline_path);
  const current = await ctx.webdriver.current.picture(ctx);
  const options = { parents: true, durable: ctx.durable, signal: ctx.signal };
  if (current_path != null) await ctx.files.write(current_path, current, options);
  const result = compare(ctx.pictures, baseline, current, {
    path: baseline_path,
    threshold: params.threshold,
    ignored: (params.ignore_regions ?? []) as readonly Region[],
    tolerance: { color: params.color_tolerance, edges: params.ignore_antialiasing },
  });
  const diffPath = result.drawing ? (params.diff_path ?? baseline_path.replace(/\.png$/i, '_diff.png')) : null;
  if (result.drawing && diffPath !== null) {
    await ctx.files.write(diffPath, result.drawing, options);
    ctx.attach({ kind: 'picture', name: 'difference', mediaType: 'image/png', bytes: result.drawing });
    ctx.attach({ kind: 'picture', name: 'current', mediaType: 'image/png', bytes: current });
  }
  const { drawing: _, ...facts } = result;
  if (params.must_match && !facts.match)
    throw pictureDiffers({
      path: baseline_path,
      how: facts.reason ?? `${facts.pixel_diff} points differ, ${params.threshold} may`,
    });
  return { ...facts, diff_image_path: diffPath };
});

function requirePng(path: string): void {
  if (!/\.png$/i.test(path)) throw baselineNotPng({ path });
}
