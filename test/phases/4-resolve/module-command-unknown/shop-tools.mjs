import { later } from './elsewhere.mjs';

/* export function hidden() {} */
const helper = () => 'export { helper }';
export const order = ({ book }) => later(book, helper);
export async function* pages() {}
export { helper as help };
