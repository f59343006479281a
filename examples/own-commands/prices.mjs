const net = { teapot: 18, cup: 6 };

/** The price of some pieces, without and with tax. What it throws fails the step. */
export function of({ product, quantity }, { attach }) {
  if (!Object.hasOwn(net, product)) throw new Error(`there is no product ${product}`);
  const sum = net[product] * quantity;
  attach({ kind: 'text', name: 'price', text: `${quantity} x ${product}` });
  return { net: sum, gross: sum * 1.25 };
}

export function text(amount, currency) {
  return `${amount.toFixed(2)} ${currency}`;
}
