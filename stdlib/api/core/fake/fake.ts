import type { Random } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';

const mailLetters = 8;

export const AT_fake_uuid = command('AT_fake_uuid', (_, ctx) =>
  ctx.random.uuid().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
);

export const AT_fake_email = command(
  'AT_fake_email',
  ({ domain }, ctx) => `${letters(mailLetters, ctx.random)}@${domain}`,
);

export const AT_fake_word = command('AT_fake_word', ({ length }, ctx) => letters(Math.max(length, 1), ctx.random));

function letters(count: number, random: Random): string {
  return Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(random.number() * 26))).join('');
}
