let orders = 0;
export const order = async ({ book, copies }, { step, signal }) => ({ by: step.command, number: (orders += 1), total: book.price * copies, aborted: signal.aborted });
export function sum(...values) {
  return values.map((value) => (typeof value === 'number' ? value : Object.keys(value).join(' '))).join(' + ');
}
/** What it writes into what it got is its own. */
export const touch = ({ book }) => Object.assign(book, { title: 'touched' });
