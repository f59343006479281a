import type { Base } from '#runtime/kernel/ports.ts';
import { isObject } from '#schemas/types/json.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/**
 * Metrics of a page by their names. A metric that the browser does not measure, or has not measured yet, is not
 * there.
 */
export type PageMetrics = Readonly<Record<string, number>>;

/** Waits so long (ms) for late entries, then reads what the browser has measured since the page began to load. */
export async function pageMetrics(
  page: PageScripts,
  ctx: Pick<Base, 'signal'> & { readonly clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> } },
  observeMs: number,
): Promise<PageMetrics> {
  await ctx.clock.sleep(observeMs, ctx.signal);
  const answer = await askPage(page, ctx, reading);
  return isObject(answer)
    ? Object.fromEntries(
        Object.entries(answer).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
      )
    : {};
}

const reading = `
const supported = new Set(PerformanceObserver.supportedEntryTypes || []);
const entries = (type) => new Promise((resolve) => {
  if (!supported.has(type)) return resolve(undefined);
  const observer = new PerformanceObserver((list) => { observer.disconnect(); resolve(list.getEntries()); });
  observer.observe({ type, buffered: true });
  // Entries that are there already come in a task of their own; without any nothing comes.
  setTimeout(() => { observer.disconnect(); resolve([]); }, 50);
});
const [paints, shifts, events, firsts] = await Promise.all(['largest-contentful-paint', 'layout-shift', 'event', 'first-input'].map(entries));
const metrics = {};
const [navigation] = performance.getEntriesByType('navigation');
if (navigation) {
  if (navigation.responseStart > 0) metrics.ttfb = navigation.responseStart - navigation.requestStart;
  if (navigation.domContentLoadedEventEnd > 0) metrics.dom_content_loaded = navigation.domContentLoadedEventEnd;
  if (navigation.loadEventEnd > 0) metrics.load = navigation.loadEventEnd;
}
const first = performance.getEntriesByName('first-contentful-paint')[0];
if (first) metrics.fcp = first.startTime;
if (paints && paints.length > 0) metrics.lcp = paints[paints.length - 1].startTime;
if (shifts) metrics.cls = shifts.reduce((sum, shift) => sum + (shift.hadRecentInput ? 0 : shift.value), 0);
const answered = [...(events || []).filter((event) => event.interactionId > 0), ...(firsts || [])];
if (answered.length > 0) metrics.inp = Math.max(...answered.map((event) => event.duration));
return metrics;`;
