import * as fail from '#schemas/generated/failures.ts';
import { readMailbox, type Mailbox } from '#schemas/types/mailbox.ts';

import type { MailMessage } from './port.ts';

/** A line break in a header would begin a header, or a mail, of its own. */
export function checkHeaders({ from, to, subject }: MailMessage): void {
  if (hasControl(subject)) throw fail.messageUnfit({ what: 'subject', given: shown(subject) });
  for (const address of [from, ...to]) mailboxOf(address);
}

/** One address, and no more than one. */
export function mailboxOf(text: string): Mailbox {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) throw fail.messageUnfit({ what: 'mail address', given: shown(text) });
  return mailbox;
}

function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(text);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100)).slice(1, -1);
}
