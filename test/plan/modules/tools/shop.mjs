export const order = () => 1, pay = () => 2;
