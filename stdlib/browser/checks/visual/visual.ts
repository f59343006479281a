import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { baselineExists, baselineMissing, baselineNotPng, pictureDiffers } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { compare, type Region } from './compare.ts';

/** The most pictures that are taken until a page rests, and the time between them (ms). */
const LOOKS = 20;
const BETWEEN_MS = 50;

type PictureContext = Base & Pick<Ports, 'webdriver' | 'clock'>;

export const WR_visual_capture_baseline = command(
  'WR_visual_capture_baseline',
  async ({ baseline_path, overwrite }, ctx) => {
    requirePng(baseline_path);
    if (!overwrite && (await ctx.files.find(baseline_path))) throw baselineExists({ path: baseline_path });
    const bytes = await pictureAtRest(ctx);
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
  const current = await pictureAtRest(ctx);
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

/**
 * The page once two pictures in a row are the same: one that has just come is still being drawn. Of one that never
 * rests, the last.
 */
async function pictureAtRest(ctx: PictureContext): Promise<Uint8Array> {
  const { webdriver, clock, signal } = ctx;
  let before = await webdriver.current.picture(ctx);
  for (let looks = 1; looks < LOOKS; looks += 1) {
    await clock.sleep(BETWEEN_MS, signal);
    const picture = await webdriver.current.picture(ctx);
    if (Buffer.compare(before, picture) === 0) return picture;
    before = picture;
  }
  return before;
}

function requirePng(path: string): void {
  if (!/\.png$/i.test(path)) throw baselineNotPng({ path });
}
