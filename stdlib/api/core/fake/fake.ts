import type { Chance } from '#runtime/kernel/ports.ts';
import { hyphenated } from '#runtime/kernel/values/hyphenated.ts';
import { command } from '#stdlib/command.ts';

const mailLetters = 8;

export const AT_fake_uuid = command('AT_fake_uuid', (_, ctx) => hyphenated(ctx.chance.uuid()));

export const AT_fake_email = command(
  'AT_fake_email',
  ({ domain }, ctx) => `${letters(mailLetters, ctx.chance)}@${domain}`,
);

export const AT_fake_word = command('AT_fake_word', ({ length }, ctx) => letters(Math.max(length, 1), ctx.chance));

function letters(count: number, chance: Chance): string {
  return Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(chance.number() * 26))).join('');
}
