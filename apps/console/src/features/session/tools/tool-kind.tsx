import {
  ArrowLeftRight,
  Brain,
  FileText,
  FolderInput,
  Globe,
  type LucideIcon,
  PencilLine,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from "lucide-react";
import { cn } from "../../../lib/cn.ts";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  read: FileText,
  edit: PencilLine,
  delete: Trash2,
  move: FolderInput,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  switch_mode: ArrowLeftRight,
};

/** The kind of a tool call; an unknown one looks like any tool. */
export function ToolKindIcon({ kind, className }: { kind: string | null; className?: string }) {
  const Icon = (kind !== null && Object.hasOwn(ICONS, kind) ? ICONS[kind] : undefined) ?? Wrench;
  return <Icon aria-hidden className={cn("size-4 shrink-0 text-muted", className)} />;
}
