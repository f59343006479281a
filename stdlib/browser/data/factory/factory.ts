import type { Chance, Ports } from '#runtime/kernel/ports.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

interface FactoryContext {
  readonly fake: Ports['fake'];
  readonly chance: Chance;
}

interface Wanted {
  readonly count: number | null;
  readonly overrides: Readonly<Record<string, unknown>>;
}

export const WR_user_factory = command('WR_user_factory', ({ prefix, ...wanted }, ctx) =>
  built('user', wanted, ctx, (id) => ({
    name: fake(ctx, 'name'),
    email: `${prefix}-${id}@example.com`,
    password: fake(ctx, 'password'),
  })),
);

export const WR_order_factory = command('WR_order_factory', ({ default_currency, ...wanted }, ctx) =>
  built('order', wanted, ctx, () => ({ amount: 100, currency: default_currency, status: 'pending' })),
);

export const WR_product_factory = command('WR_product_factory', (wanted, ctx) =>
  built('product', wanted, ctx, () => ({ name: fake(ctx, 'word'), price: 19.99, in_stock: true })),
);

type Entity = JsonObject & { readonly id: number };

/** One entity, or a list where a count is given; numbers go on from one call to the next. */
function built(
  kind: string,
  { count, overrides }: Wanted,
  ctx: FactoryContext,
  make: (id: number) => JsonObject,
): Entity | Entity[] {
  const one = (): Entity => {
    const id = ctx.fake.next(kind);
    return { id, ...make(id), ...(overrides as JsonObject) };
  };
  return count === null ? one() : Array.from({ length: count }, one);
}

function fake(ctx: FactoryContext, name: string): Json {
  return ctx.fake.value({ name }, ctx.chance);
}
