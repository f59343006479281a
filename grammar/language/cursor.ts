/** Reads a text from left to right without going back: what the linear scanners of the small languages share. */
export class Cursor {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** Takes `expected` where it stands next. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  /** Takes what a sticky pattern matches next; undefined where it does not match, or matches nothing. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === '') return undefined;
    this.at += found.length;
    return found;
  }

  blanks(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 13) return;
      this.at += 1;
    }
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
}
