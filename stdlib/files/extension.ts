/** Whether a name ends with a dot and the extension, which may begin with the dot; letter case makes no difference. */
export function hasExtension(name: string, extension: string): boolean {
  const wanted = extension.startsWith('.') ? extension : `.${extension}`;
  return name.toLowerCase().endsWith(wanted.toLowerCase());
}
