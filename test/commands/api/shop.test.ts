import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { session } from '../call.ts';

const config = fileURLToPath(new URL('../../../examples/quick-start/shop.mock.yaml', import.meta.url));

test('the shop of the quick start serves its pages and its API', async () => {
  await using unit = await session();
  const { url } = (await unit.call('AT_start_mock_server', { config })) as { url: string };
  const ask = async (path: string, body?: unknown): Promise<[number, unknown]> => {
    const answer = await fetch(
      url + path,
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    return [
      answer.status,
      answer.headers.get('content-type') === 'application/json' ? await answer.json() : await answer.text(),
    ];
  };
  expect(await ask('/')).toEqual([200, expect.stringContaining('<h1>A small shop</h1>')]);
  expect(await ask('/shop.css')).toEqual([200, expect.stringContaining('font')]);
  expect(await ask('/order')).toEqual([200, expect.stringContaining('<form method="post" action="/order">')]);
  const sent = await fetch(`${url}/order`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada <b>', product: 'teapot', quantity: '2' }),
  });
  expect([sent.status, await sent.text()]).toEqual([
    201,
    expect.stringContaining('Thank you, Ada &lt;b&gt;: 2 × teapot'),
  ]);
  expect(await ask('/api/login', { user: 'ada', password: 'analytical' })).toEqual([
    200,
    { user: 'ada', token: '9f4c2b7de1a85036' },
  ]);
  expect(await ask('/api/login', { user: 'ada', password: 'x' })).toEqual([401, { error: 'wrong name or password' }]);
  expect(await ask('/api/products')).toMatchObject([
    200,
    { products: [{ id: 'teapot' }, { id: 'cup' }, { id: 'kettle' }] },
  ]);
  expect(await ask('/api/products/cup')).toMatchObject([200, { price: 6 }]);
  expect(await ask('/api/products/spoon')).toEqual([404, { error: 'there is no product spoon' }]);
  expect(await ask('/api/orders', { product: 'teapot', quantity: 2 })).toEqual([
    201,
    { order: { id: '1001', product: 'teapot', quantity: 2, state: 'accepted' } },
  ]);
  expect((await ask('/api/orders', { product: 'kettle' }))[0]).toBe(409);
});
