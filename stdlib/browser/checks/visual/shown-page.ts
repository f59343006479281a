import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { selectorUnusable } from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { askPage, type PageScripts } from '../../engines/page/page-scripts.ts';
import type { Region } from './compare.ts';

export type PageContext = Base & Pick<Ports, 'webdriver' | 'playwright'>;

/** Page of either engine, as far as pictures of it go. */
export interface ShownPage extends PageScripts {
  picture(): Promise<Uint8Array>;
  /** Names of its browser and of its system. */
  where(): Promise<readonly [browser: string, system: string]>;
}

/** Current page of an engine; fails where none is open. */
export function shownPage(ctx: PageContext, engine: 'webdriver' | 'playwright'): ShownPage {
  const evaluate: PageScripts['evaluate'] = (scope, body, args) => ctx[engine].evaluate(scope, body, args);
  if (engine === 'webdriver') {
    const { current } = ctx.webdriver;
    return {
      evaluate,
      picture: () => current.picture(ctx),
      where: () => Promise.resolve([current.browser, String(current.capabilities['platformName'] ?? 'unknown')]),
    };
  }
  const { session } = ctx.playwright;
  return {
    evaluate,
    picture: () => session.picture(ctx, { fullPage: false, type: 'png' }),
    where: async () => [
      session.context.browser()?.browserType().name() ?? 'browser',
      String(await askPage({ evaluate }, ctx, 'return navigator.platform.split(" ")[0]')),
    ],
  };
}

/** Part of a picture as steps write it. */
export type WrittenRegion = Region | { readonly css: string };

const boxes = `
  const found = arguments[0].map((css) => [...document.querySelectorAll(css)]).flat();
  return found.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].map((each) => each * devicePixelRatio);
  });`;

/** Regions in points of the picture; elements are looked for in the page. */
export async function regionsOf(
  page: ShownPage,
  ctx: Base,
  written: readonly WrittenRegion[],
): Promise<readonly Region[]> {
  const selectors = written.flatMap((each) => ('css' in each ? [each.css] : []));
  const regions = written.flatMap((each) => ('css' in each ? [] : [each]));
  if (selectors.length === 0) return regions;
  const answer = await askPage(page, ctx, boxes, [selectors], ({ message }) =>
    selectorUnusable({ selector: selectors.map((each) => `"${each}"`).join(', '), reason: message }),
  );
  return [...regions, ...(Array.isArray(answer) ? answer.flatMap(regionIn) : [])];
}

function regionIn(box: Json): readonly Region[] {
  if (!Array.isArray(box)) return [];
  const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
  return [{ x, y, width, height }];
}
