import type { Chance, Ports } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

interface FakeContext {
  readonly fake: Ports['fake'];
  readonly chance: Chance;
}

export const WR_faker = command('WR_faker', ({ method, args, kwargs }, ctx) =>
  ctx.fake.value({ name: method, positional: args as Json[], named: kwargs as Record<string, Json> }, ctx.chance),
);

export const WR_faker_address = command('WR_faker_address', (_, ctx) => text(ctx, 'address'));
export const WR_faker_credit_card = command('WR_faker_credit_card', (_, ctx) => text(ctx, 'credit_card_number'));
export const WR_faker_email = command('WR_faker_email', (_, ctx) => text(ctx, 'email'));
export const WR_faker_first_name = command('WR_faker_first_name', (_, ctx) => text(ctx, 'first_name'));
export const WR_faker_last_name = command('WR_faker_last_name', (_, ctx) => text(ctx, 'last_name'));
export const WR_faker_name = command('WR_faker_name', (_, ctx) => text(ctx, 'name'));
export const WR_faker_phone = command('WR_faker_phone', (_, ctx) => text(ctx, 'phone_number'));
export const WR_faker_url = command('WR_faker_url', (_, ctx) => text(ctx, 'url'));
export const WR_faker_user_agent = command('WR_faker_user_agent', (_, ctx) => text(ctx, 'user_agent'));
export const WR_faker_uuid = command('WR_faker_uuid', (_, ctx) => text(ctx, 'uuid4'));

export const WR_faker_password = command('WR_faker_password', ({ length }, ctx) => text(ctx, 'password', { length }));

export const WR_faker_text = command('WR_faker_text', ({ max_chars }, ctx) =>
  text(ctx, 'text', max_chars === null ? {} : { max_nb_chars: max_chars }),
);

export const WR_faker_seed = command('WR_faker_seed', ({ seed }, ctx) => {
  ctx.fake.seed(seed);
  ctx.chance.seededBy(seed);
  return null;
});

function text({ fake, chance }: FakeContext, name: string, named: Readonly<Record<string, Json>> = {}): string {
  return String(fake.value({ name, named }, chance));
}
