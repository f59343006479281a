export const order = ({ book }) => ({ book });
