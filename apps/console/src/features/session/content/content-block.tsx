"use client";

import type { JsonObject } from "@signalbox/protocol";
import { File, FileText, Link2, Volume2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { asObject, asText } from "./json-read.ts";
import { LongText } from "./long-text.tsx";
import { PlainOnFailure } from "./plain-on-failure.tsx";
import { RawJson } from "./raw-json.tsx";
import { safeLink } from "./safe-link.ts";
import { isProse } from "./text-size.ts";
import { VisibleCode } from "./visible-code.tsx";

const LazyMarkdown = lazy(() =>
  import("./markdown.tsx").then((module) => ({ default: module.Markdown })),
);

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Markdown, or the plain text: until the renderer is there, and of what is no prose. */
export function MarkdownText({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  if (!isProse(text)) return <LongText text={text} />;
  const plain = <LongText text={text} />;
  return (
    <PlainOnFailure plain={plain}>
      <Suspense fallback={plain}>
        <LazyMarkdown text={text} isStreaming={isStreaming} />
      </Suspense>
    </PlainOnFailure>
  );
}

/** One ACP content block. `text` says how text is shown: the agent's as markdown, ours as it is. */
export function ContentBlockView({
  block,
  text,
  isStreaming = false,
}: {
  block: JsonObject;
  text: "markdown" | "plain";
  isStreaming?: boolean;
}) {
  switch (block.type) {
    case "text": {
      const value = asText(block.text) ?? "";
      if (text === "markdown") return <MarkdownText text={value} isStreaming={isStreaming} />;
      return <LongText text={value} />;
    }
    case "image":
      return <ImageBlock data={asText(block.data) ?? ""} mimeType={asText(block.mimeType) ?? ""} />;
    case "audio":
      return (
        <Chip icon={<Volume2 aria-hidden />}>
          Audio, {asText(block.mimeType) ?? "unknown type"}
        </Chip>
      );
    case "resource_link":
      return (
        <ResourceLink name={asText(block.title) ?? asText(block.name)} uri={asText(block.uri)} />
      );
    case "resource":
      return <EmbeddedResource resource={asObject(block.resource) ?? {}} />;
    default:
      return <RawJson label={`Content of type ${String(block.type)}`} value={block} />;
  }
}

function Chip({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-md border bg-inset px-2 py-1 text-sm [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </span>
  );
}

function ResourceLink({ name, uri }: { name: string | null; uri: string | null }) {
  const target = safeLink(uri ?? undefined);
  const label = name ?? uri ?? "Resource";
  if (target === null) {
    return (
      <span title={uri ?? undefined}>
        <Chip icon={<FileText aria-hidden />}>{label}</Chip>
      </span>
    );
  }
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer" className="text-accent">
      <Chip icon={<Link2 aria-hidden />}>
        {label} <span className="text-muted">({target.host})</span>
      </Chip>
    </a>
  );
}

function EmbeddedResource({ resource }: { resource: JsonObject }) {
  const uri = asText(resource.uri) ?? "Embedded resource";
  const content = asText(resource.text);
  if (content === null) return <Chip icon={<File aria-hidden />}>{uri}</Chip>;
  return (
    <details className="rounded-md border">
      <summary className="px-3 py-1.5 font-mono text-xs">{uri}</summary>
      <VisibleCode text={content} className="rounded-t-none" />
    </details>
  );
}

function ImageBlock({ data, mimeType }: { data: string; mimeType: string }) {
  const bytes = Math.floor((data.length * 3) / 4);
  if (!IMAGE_TYPES.has(mimeType)) {
    return <Chip icon={<File aria-hidden />}>Image not shown: {mimeType || "no type"}</Chip>;
  }
  if (bytes > MAX_IMAGE_BYTES) {
    return (
      <Chip icon={<File aria-hidden />}>
        Image not shown: {(bytes / 1024 / 1024).toFixed(1)} MB, over the limit of 5 MB
      </Chip>
    );
  }
  return <DecodedImage data={data} mimeType={mimeType} />;
}

function DecodedImage({ data, mimeType }: { data: string; mimeType: string }) {
  const [url, setUrl] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const blob = blobOf(data, mimeType);
    if (blob === null) {
      setBroken(true);
      return;
    }
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [data, mimeType]);
  if (isBroken) return <Chip icon={<File aria-hidden />}>Image not shown: it is damaged</Chip>;
  if (url === null) return <div className="h-40" />;
  return (
    // biome-ignore lint/performance/noImgElement: a blob of this page has nothing to optimise
    <img
      src={url}
      alt="Sent in this conversation"
      onError={() => setBroken(true)}
      className="max-h-96 max-w-full rounded-md border object-contain"
    />
  );
}

/** Null when `data` is not base64. */
function blobOf(data: string, mimeType: string): Blob | null {
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: mimeType });
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
