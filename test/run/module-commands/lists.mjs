export class Basket {
  constructor({ books }) {
    this.books = books;
  }
}
export default ({ n }) => [n, String(n), { n }];
