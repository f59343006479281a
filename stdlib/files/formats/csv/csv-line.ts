/** A row as a line of CSV: quotes only where they are needed, CR LF at the end. */
export function csvLine(cells: readonly string[], delimiter: string): string {
  // A line without anything would be read as none.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]/.test(cell) && !cell.startsWith('\ufeff');
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
