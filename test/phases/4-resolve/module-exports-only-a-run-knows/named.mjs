const a = 1, e = 2;
export { a, b as c,
  e as d } from './elsewhere.mjs';
export * as ns from './elsewhere.mjs';
export default async function () {}
