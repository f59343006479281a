/** Wraps text in a colour when colours are on. */
export type Paint = (text: string) => string;

export interface Colours {
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
}

export function colours(on: boolean): Colours {
  const paint = (open: number, close: number): Paint =>
    on ? (text) => `\u001b[${open}m${text}\u001b[${close}m` : (text) => text;
  return {
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    dim: paint(2, 22),
    bold: paint(1, 22),
  };
}
