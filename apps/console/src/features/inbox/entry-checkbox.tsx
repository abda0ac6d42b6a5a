/** Marks a request for an answer together with others. */
export function EntryCheckbox({
  label,
  isChecked,
  onCheck,
}: {
  label: string;
  isChecked: boolean;
  onCheck: () => void;
}) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      onChange={onCheck}
      className="size-4 accent-accent pointer-coarse:size-5"
    />
  );
}
