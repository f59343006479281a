import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { baselineExists, baselineMissing, baselineNotPng, pictureDiffers } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { compare, type Compared } from './compare.ts';
import { regionsOf, shownPage, type ShownPage } from './shown-page.ts';
import { whileStill } from './still.ts';

/** The most pictures that are taken until a page rests, and the time between them (ms). */
const LOOKS = 20;
const BETWEEN_MS = 50;

type PictureContext = Base & Pick<Ports, 'clock'>;
type FileContext = Base & Pick<Ports, 'files'>;

export const WR_visual_capture_baseline = command(
  'WR_visual_capture_baseline',
  async ({ baseline_path, overwrite, per_platform, engine }, ctx) => {
    const page = shownPage(ctx, engine);
    const path = await baselinePath(baseline_path, per_platform, page);
    if (!overwrite && (await ctx.files.find(path))) throw baselineExists({ path });
    const bytes = await whileStill(page, ctx, () => pictureAtRest(page, ctx));
    await store(ctx, path, bytes);
    show(ctx, 'baseline', bytes);
    return path;
  },
);

export const WR_visual_compare = command('WR_visual_compare', async (params, ctx) => {
  const { current_path } = params;
  const page = shownPage(ctx, params.engine);
  const path = await baselinePath(params.baseline_path, params.per_platform, page);
  const isThere = (await ctx.files.find(path)) !== undefined;
  if (!isThere && !ctx.snapshots.updating) throw baselineMissing({ path });
  const baseline = isThere ? await ctx.files.read(path) : undefined;
  const [current, ignored] = await whileStill(page, ctx, async () => {
    const picture = await pictureAtRest(page, ctx);
    return [picture, await regionsOf(page, ctx, params.ignore_regions ?? [])] as const;
  });
  if (current_path != null) await store(ctx, current_path, current);
  if (!baseline) {
    await store(ctx, path, current);
    ctx.snapshots.stored(path, 'created');
    show(ctx, 'baseline', current);
    return { match: true, pixel_diff: 0, diff_image_path: null, baseline: 'created' as const };
  }
  const { drawing, ...facts } = compare(ctx.pictures, baseline, current, {
    path,
    threshold: params.threshold,
    ignored,
    tolerance: { color: params.color_tolerance, edges: params.ignore_antialiasing },
  });
  if (drawing !== undefined || !facts.match) {
    // Side by side in the report, for the one who approves the new picture or not.
    show(ctx, 'baseline', baseline);
    show(ctx, 'current', current);
  }
  if (drawing) show(ctx, 'difference', drawing);
  if (!facts.match && ctx.snapshots.updating) {
    await store(ctx, path, current);
    ctx.snapshots.stored(path, 'updated');
    return { ...facts, match: true, diff_image_path: null, baseline: 'updated' as const };
  }
  const diffPath = drawing ? (params.diff_path ?? path.replace(/\.png$/i, '_diff.png')) : null;
  if (drawing && diffPath !== null) await store(ctx, diffPath, drawing);
  if (params.must_match && !facts.match) throw pictureDiffers({ path, how: differenceText(facts, params.threshold) });
  return { ...facts, diff_image_path: diffPath };
});

function differenceText({ pixel_diff, baseline_size, current_size }: Compared, threshold: number): string {
  return baseline_size && current_size
    ? `it is ${current_size.join(' x ')} points large, the baseline ${baseline_size.join(' x ')}`
    : `${pixel_diff} points differ, ${threshold} may`;
}

function store(ctx: FileContext, path: string, bytes: Uint8Array): Promise<unknown> {
  return ctx.files.write(path, bytes, { parents: true, durable: ctx.durable, signal: ctx.signal });
}

function show(ctx: Base, name: string, bytes: Uint8Array): void {
  ctx.attach({ kind: 'picture', name, mediaType: 'image/png', bytes });
}

/**
 * The page once two pictures in a row are the same: one that has just come is still being drawn. Of one that never
 * rests, the last.
 */
async function pictureAtRest(page: ShownPage, { clock, signal }: PictureContext): Promise<Uint8Array> {
  let before = await page.picture();
  for (let looks = 1; looks < LOOKS; looks += 1) {
    await clock.sleep(BETWEEN_MS, signal);
    const picture = await page.picture();
    if (Buffer.compare(before, picture) === 0) return picture;
    before = picture;
  }
  return before;
}

/** The baseline of this browser on its system, where each has its own: `shop.png` is `shop-chrome-linux.png` then. */
async function baselinePath(path: string, perPlatform: boolean, page: ShownPage): Promise<string> {
  if (!/\.png$/i.test(path)) throw baselineNotPng({ path });
  if (!perPlatform) return path;
  const parts = await page.where();
  const ending = parts.map((part) => part.toLowerCase().replace(/[^a-z0-9]+/g, '_')).join('-');
  return path.replace(/\.png$/i, `-${ending}$&`);
}
