export interface AnnotationPlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly col: number | null;
  readonly title: string | null;
}

/** A workflow command that build servers show as an error at its place. */
export function annotationLine(message: string, { file, line, col, title }: AnnotationPlace): string {
  const properties = [
    ...(file ? [`file=${property(file)}`] : []),
    ...(line === null ? [] : [`line=${line}`]),
    ...(col === null ? [] : [`col=${col}`]),
    ...(title ? [`title=${property(title)}`] : []),
  ];
  return `::error${properties.length > 0 ? ` ${properties.join(',')}` : ''}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
