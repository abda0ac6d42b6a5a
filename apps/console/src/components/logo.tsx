import { cn } from "../lib/cn.ts";

/** A semaphore signal: mast, arm, lamp. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={cn("size-6 shrink-0", className)}>
      <rect width="32" height="32" rx="7" fill="#2a3a8f" />
      <path
        d="M10.5 6v20M7 26h7"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M10.5 8.2h15.2l-2.4 3.3 2.4 3.3H10.5z" fill="#ffb648" />
      <circle cx="10.5" cy="11.5" r="2.5" fill="#fff" />
      <circle cx="10.5" cy="20" r="2.5" fill="#4ade9b" stroke="#2a3a8f" strokeWidth="1.2" />
    </svg>
  );
}
