/** The size of a file as people read it, from bytes. */
export function humanSize(bytes: number): string {
  const format = (value: number, unit: string) =>
    `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)} ${unit}`;
  if (bytes < 1000) return format(bytes, 'B');
  if (bytes < 999_950) return format(bytes / 1000, 'kB');
  return format(bytes / 1_000_000, 'MB');
}
