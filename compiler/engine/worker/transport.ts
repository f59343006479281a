/**
 * A way between a run and one of its workers: text in pieces that may be cut anywhere, in order. A process, a local
 * socket or a machine far away is a transport; what the text means is known to the channel alone.
 */
export interface Transport {
  /** Resolves when there is room for more, or nobody is there to take it. */
  send(piece: string): Promise<void>;
  /** Called with each piece that arrives. Nothing is lost before the first listener. */
  onPiece(listener: (piece: string) => void): void;
  /** Resolves when nothing more arrives. */
  readonly ended: Promise<void>;
  /** Nothing more arrives or is sent. */
  close(): void;
}
