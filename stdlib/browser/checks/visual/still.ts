import type { Base } from '#runtime/kernel/ports.ts';

import type { PageScripts } from '../../engines/page/page-scripts.ts';

/** Longest wait for fonts (ms): a server that never sends one keeps no picture from being taken. */
const FONTS_MS = 3000;

/**
 * Waits for fonts, hides the caret, and puts animations without end at their begin: when a picture is taken would
 * decide else what it shows. Those with an end are left to come to it.
 */
const holding = `
  if (document.fonts) await Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, limit))]);
  const held = window.__svcHeld = { sheet: null, animations: [] };
  try {
    held.sheet = new CSSStyleSheet();
    held.sheet.replaceSync('*, ::before, ::after { caret-color: transparent !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, held.sheet];
  } catch { held.sheet = null; }
  for (const animation of document.getAnimations ? document.getAnimations() : []) {
    const timing = animation.effect && animation.effect.getComputedTiming();
    if (animation.playState !== 'running' || !timing || timing.endTime !== Infinity) continue;
    held.animations.push([animation, animation.currentTime]);
    animation.pause();
    animation.currentTime = timing.delay > 0 ? timing.delay : 0;
  }
`;

const letting = `
  const held = window.__svcHeld;
  delete window.__svcHeld;
  if (!held) return;
  if (held.sheet) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== held.sheet);
  for (const [animation, time] of held.animations) { animation.currentTime = time; animation.play(); }
`;

/** Does something while nothing of the page moves for ever. A page that lets no script in is taken as it is. */
export async function whileStill<T>(page: PageScripts, ctx: Base, work: () => Promise<T>): Promise<T> {
  await tried(page, ctx, holding);
  try {
    return await work();
  } finally {
    if (!ctx.signal.aborted) await tried(page, ctx, letting);
  }
}

async function tried(page: PageScripts, ctx: Base, body: string): Promise<void> {
  try {
    await page.evaluate(ctx, `return (async (limit) => {${body}})(arguments[0])`, [FONTS_MS]);
  } catch {
    ctx.signal.throwIfAborted();
  }
}
