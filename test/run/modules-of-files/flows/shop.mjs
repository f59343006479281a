export const order = ({ book }) => ({ first: book });
