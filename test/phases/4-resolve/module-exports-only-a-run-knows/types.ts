export interface Shape {
  a: number;
}
export type Kind = number;
export const make = (shape: Shape): Kind => shape.a;
