const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$/i;

/** Whether no part of a path behind its root is a device, names a stream of a file, or would lose its end. */
export function isUsableOnWindows(path: string, root: string): boolean {
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return false;
  const parts = path.slice(root.length).split(/[\\/]/);
  if (root.length === 2) return false;
  return parts.every(
    (part) =>
      part === '' ||
      part === '.' ||
      part === '..' ||
      !(device.test(part) || /[:*?"<>|\u0000-\u001f]/.test(part) || /[. ]$/.test(part)),
  );
}
