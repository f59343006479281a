import { describe, expect, it } from 'vitest';

import { isListed } from '#grammar/module-ref/listed.ts';
import { commandPrefix, packageOf, parseModuleRef } from '#grammar/module-ref/parse.ts';

describe('names of modules', () => {
  it.each([
    ['shop', 'package', 'shop', 'shop'],
    ['shop-tools', 'package', 'shop-tools', 'shop_tools'],
    ['chart.js', 'package', 'chart.js', 'chart_js'],
    ['7zip', 'package', '7zip', '_7zip'],
    ['shop/dist/order-list.js', 'package', 'shop/dist/order-list.js', 'shop_dist_order_list'],
    ['@acme/shop.js', 'package', '@acme/shop.js', 'acme_shop_js'],
    ['@acme/shop/orders', 'package', '@acme/shop/orders', 'acme_shop_orders'],
    ['./shop.mjs', 'file', './shop.mjs', 'shop'],
    ['./a/../shop-tools.ts', 'file', './a/../shop-tools.ts', 'shop_tools'],
    ['../../lib/shop.min.js', 'file', '../../lib/shop.min.js', 'shop_min'],
    ['./größe', 'file', './größe', 'gr_e'],
  ])('%s', (text, kind, name, prefix) => {
    const ref = parseModuleRef(text);
    expect(ref).toEqual({ kind, name });
    expect(ref && commandPrefix(ref)).toBe(prefix);
    expect(parseModuleRef(`${text}#order`)).toEqual({ kind, name, export: 'order' });
  });

  it.each([
    '',
    '.',
    '..',
    './',
    '../',
    './.',
    './..',
    './a/',
    '/shop.mjs',
    'C:/shop.mjs',
    String.raw`.\shop.mjs`,
    String.raw`shop\..\x`,
    'shop/',
    'shop//orders',
    'shop/../x',
    'shop/./x',
    '.shop',
    '@acme',
    '@acme/',
    '@/shop',
    'https://127.0.0.1/x.mjs',
    'file:///x.mjs',
    'data:text/javascript,0',
    'node:fs',
    'npm:shop',
    './a b.mjs',
    './a.mjs?x',
    '#order',
    'shop#',
    'shop#1',
    'shop#a#b',
    './a.mjs#a.b',
    ' shop',
    'shop\n',
    '{{shop}}',
    '${env:SHOP}',
  ])('%j is none', (text) => expect(parseModuleRef(text)).toBeUndefined());

  it('lead nowhere but into node_modules, or to a file', () => {
    for (const text of ['shop/a/b', '@acme/shop/a'])
      expect(packageOf(text)).toBe(text.startsWith('@') ? '@acme/shop' : 'shop');
  });
});

describe('a list of modules', () => {
  it.each([
    ['shop', ['shop']],
    ['shop/orders', ['shop']],
    ['@acme/shop/orders', ['@acme/shop']],
    ['@acme/shop', ['@acme']],
    ['./lib/shop.mjs', ['./lib']],
    ['./lib/shop.mjs', ['./lib/']],
    ['./lib/shop.mjs', ['./lib/shop.mjs']],
    ['./shop.mjs', ['.']],
    ['../shared/a/b.mjs', ['other', '../shared']],
  ])('%s is let in by %j', (place, list) => expect(isListed(place, list)).toBe(true));

  it.each([
    ['shop', []],
    ['shop-tools', ['shop']],
    ['shop', ['shop/orders']],
    ['./library/shop.mjs', ['./lib']],
    ['./lib/shop.mjs', ['lib/shop.mjs']],
    ['shop', ['.']],
    ['../shared/a.mjs', ['.']],
    ['../shared/a.mjs', ['./shared']],
    ['shop', ['Shop']],
  ])('%s is not let in by %j', (place, list) => expect(isListed(place, list)).toBe(false));
});
