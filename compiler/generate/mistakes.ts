/** Mistakes in our own declarations, collected so that one run of the generator names them all. */
export class Mistakes {
  readonly found: string[] = [];

  /** `file` from the project root; `where` names the command, field or line. */
  add(file: string, where: string, message: string): void {
    this.found.push(where === '' ? `${file}: ${message}` : `${file}: ${where}: ${message}`);
  }

  get any(): boolean {
    return this.found.length > 0;
  }
}
