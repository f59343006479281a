import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { nothingRecorded } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { askPage } from '../../engines/page/page-scripts.ts';
import type { PageScripts } from '../../engines/page/page-scripts.ts';
import { actionsOf, type RecordedEvent } from './actions-of.ts';
import { fileText } from './file-text.ts';
import { ending, listening, taking } from './listener.ts';

export const WR_recorder_start = command('WR_recorder_start', async (_, ctx) => {
  const session = ctx.webdriver.current;
  await stop(ctx);
  await askPage(ctx.webdriver, ctx, taking);
  const script = listening((await import('#schemas/generated/page-locators.ts')).pageLocators);
  await askPage(ctx.webdriver, ctx, script);
  const address = await session.run(ctx, (driver) => driver.getCurrentUrl());
  session.recording = { address };
  const end = await session.addScript(ctx, script);
  if (end) session.recording = { address, end };
});

export const WR_recorder_stop = command('WR_recorder_stop', async (_, ctx) => {
  await stop(ctx);
  await askPage(ctx.webdriver, ctx, taking);
});

export const WR_recorder_pull_events = command('WR_recorder_pull_events', async (_, ctx) => [
  ...(await pull(ctx.webdriver, ctx)),
]);

export const WR_recorder_save = command('WR_recorder_save', async ({ output_path, raw_events_path }, ctx) => {
  const session = ctx.webdriver.current;
  const events = await pull(ctx.webdriver, ctx);
  // A file of nothing would pass for ever.
  if (events.length === 0) throw nothingRecorded({});
  const address = session.recording?.address ?? (await session.run(ctx, (driver) => driver.getCurrentUrl()));
  const browser = session.browser === 'MicrosoftEdge' ? 'edge' : session.browser === 'firefox' ? 'firefox' : 'chromium';
  const options = { parents: true, durable: ctx.durable, signal: ctx.signal };
  const actions = actionsOf(events, { address, browser });
  await ctx.files.write(output_path, `${await fileText(output_path, actions)}\n`, options);
  if (raw_events_path != null) await ctx.files.write(raw_events_path, `${JSON.stringify(events, null, 2)}\n`, options);
  return output_path;
});

async function stop(ctx: Base & Pick<Ports, 'webdriver'>): Promise<void> {
  const session = ctx.webdriver.current;
  const end = session.recording?.end;
  session.recording = undefined;
  await end?.(ctx);
  await askPage(ctx.webdriver, ctx, ending);
}

async function pull(page: PageScripts, scope: { readonly signal: AbortSignal }): Promise<readonly RecordedEvent[]> {
  const events = await askPage(page, scope, taking);
  return Array.isArray(events) ? (events as readonly RecordedEvent[]) : [];
}
