"use client";

import { ExternalLink, Image as ImageIcon } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, useMemo, useRef } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { CopyButton } from "../../../components/copy-button.tsx";
import { ScrollBox } from "../transcript/scroll-box.tsx";
import { markdownBlocks } from "./markdown-blocks.ts";
import { safeLink } from "./safe-link.ts";

/** An agent's text. Nothing in it is run or fetched: no HTML, no images, links only to the web. */
export function Markdown({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const blocks = useMemo(() => markdownBlocks(text, isStreaming), [text, isStreaming]);
  return (
    <div className="space-y-3 break-words text-base [&>*:first-child>*:first-child]:mt-0">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

interface HastNode {
  type: string;
  value?: string;
  children?: HastNode[];
}

/** HTML in the text is shown as the text it is; the sanitiser alone would drop it silently. */
function htmlAsText() {
  return (tree: HastNode) => {
    const visit = (node: HastNode) => {
      if (node.type === "raw") node.type = "text";
      for (const child of node.children ?? []) visit(child);
    };
    visit(tree);
  };
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <div className="space-y-3">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[htmlAsText, rehypeSanitize]}
        urlTransform={(url) => url}
        components={COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

function SafeLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const target = safeLink(href);
  if (target === null) return <span title={href}>{children}</span>;
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
      {isSaid(children, target.host) ? null : <span className="text-muted"> ({target.host})</span>}
      <ExternalLink aria-label="opens in a new tab" className="mb-0.5 ml-0.5 inline size-3" />
    </a>
  );
}

function isSaid(children: ReactNode, host: string): boolean {
  return typeof children === "string" && children.includes(host);
}

function RemoteImage({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const href = typeof src === "string" ? src : undefined;
  return (
    <span className="inline-flex items-center gap-1.5 rounded-sm bg-hover px-1.5 py-0.5 text-sm">
      <ImageIcon aria-hidden className="size-3.5 text-muted" />
      <SafeLink href={href}>{alt || "Image"}</SafeLink>
      <span className="text-muted text-xs">not loaded</span>
    </span>
  );
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const box = useRef<HTMLPreElement>(null);
  return (
    <div className="group/code relative">
      <ScrollBox label="Code" className="max-h-[32rem] rounded-md border bg-inset">
        <pre ref={box} className="w-max px-3 py-2.5 pr-10 font-mono text-xs leading-5">
          {children}
        </pre>
      </ScrollBox>
      <CopyButton
        text={() => box.current?.textContent?.replace(/\n$/, "") ?? ""}
        label="Copy code"
        className="absolute top-1 right-1 bg-inset opacity-0 transition-opacity focus-visible:opacity-100 group-focus-within/code:opacity-100 group-hover/code:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

const HEADING = "font-semibold tracking-tight";

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={src} alt={alt} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  code: ({ children, className }) =>
    className?.startsWith("language-") ? (
      <code>{children}</code>
    ) : (
      <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.9em] [pre_&]:bg-transparent [pre_&]:p-0 [pre_&]:text-xs">
        {children}
      </code>
    ),
  // A message is a part of the page: its own headings stand below those of the page.
  h1: ({ children }) => <h2 className={`mt-5 text-lg ${HEADING}`}>{children}</h2>,
  h2: ({ children }) => <h3 className={`mt-4 text-[0.9375rem] ${HEADING}`}>{children}</h3>,
  h3: ({ children }) => <h4 className={`mt-3 text-base ${HEADING}`}>{children}</h4>,
  h4: ({ children }) => <h5 className={`mt-3 text-base ${HEADING}`}>{children}</h5>,
  h5: ({ children }) => <h6 className={`mt-3 text-sm ${HEADING}`}>{children}</h6>,
  h6: ({ children }) => <h6 className={`mt-3 text-muted text-sm ${HEADING}`}>{children}</h6>,
  ul: ({ children, className }) => (
    <ul className={className?.includes("task") ? "space-y-1" : "list-disc space-y-1 pl-5"}>
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal space-y-1 pl-6">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="marker:text-muted [&>ol]:mt-1 [&>ul]:mt-1">{children}</li>,
  blockquote: ({ children }) => (
    <blockquote className="space-y-2 border-border-strong border-l-2 pl-3 text-muted">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="my-4" />,
  table: ({ children }) => (
    <ScrollBox label="Table" className="rounded-md border">
      <table className="w-full text-sm">{children}</table>
    </ScrollBox>
  ),
  thead: ({ children }) => <thead className="bg-inset">{children}</thead>,
  th: ({ children, style }) => (
    <th style={style} className="border-b px-3 py-1.5 text-left font-medium text-muted">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b px-3 py-1.5 align-top [tr:last-child>&]:border-b-0">
      {children}
    </td>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked === true}
      disabled
      readOnly
      aria-label={checked === true ? "done" : "open"}
      className="mr-1.5 align-[-1px]"
    />
  ),
};
