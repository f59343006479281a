import { counted } from '#grammar/source/counted.ts';
import { pageProblemsFound } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import type { Problems } from '../../engines/playwright/port.ts';

export const WR_pw_assert_no_4xx_or_5xx = command('WR_pw_assert_no_4xx_or_5xx', (_, ctx) =>
  refuse(['answer', 'with a status of 400 or more'], ctx.playwright.session.capture.refused),
);

export const WR_pw_assert_no_5xx = command('WR_pw_assert_no_5xx', (_, ctx) =>
  refuse(['answer', 'with a status of 500 or more'], ctx.playwright.session.capture.broken),
);

export const WR_pw_assert_no_console_errors = command('WR_pw_assert_no_console_errors', (_, ctx) =>
  refuse(['error', 'in the console'], ctx.playwright.session.capture.errors),
);

export const WR_pw_console_messages = command('WR_pw_console_messages', (_, ctx) => [
  ...ctx.playwright.session.capture.messages,
]);

export const WR_pw_event_capture_clear = command('WR_pw_event_capture_clear', (_, ctx) =>
  ctx.playwright.session.capture.clear(),
);

export const WR_pw_event_capture_start = command('WR_pw_event_capture_start', (_, ctx) =>
  ctx.playwright.session.capture.start(ctx.playwright.session.page),
);

export const WR_pw_event_capture_stop = command('WR_pw_event_capture_stop', (_, ctx) =>
  ctx.playwright.session.capture.stop(),
);

export const WR_pw_network_responses = command('WR_pw_network_responses', (_, ctx) => [
  ...ctx.playwright.session.capture.responses,
]);

function refuse([noun, place]: readonly [noun: string, place: string], { count, first }: Problems): void {
  if (count === 0) return;
  const more = count > first.length ? `; and ${count - first.length} more` : '';
  throw pageProblemsFound({ what: `${counted(count, noun)} ${place}`, first: `${first.join('; ')}${more}` });
}
