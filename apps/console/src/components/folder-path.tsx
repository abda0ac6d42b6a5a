/** A path cut at its beginning: its end tells folders apart. */
export function FolderPath({ path }: { path: string }) {
  return (
    <span
      dir="rtl"
      title={path}
      className="block min-w-0 truncate text-left font-mono text-muted text-xs"
    >
      <bdi dir="ltr">{path}</bdi>
    </span>
  );
}
