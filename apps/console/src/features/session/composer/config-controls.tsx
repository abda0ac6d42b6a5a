"use client";

import type { JsonObject } from "@signalbox/protocol";
import { useId } from "react";
import { Select } from "../../../components/ui/select.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import { asArray, asObject, asObjects, asText } from "../content/json-read.ts";
import { valueName } from "../transcript/notice.ts";

export type ChangeConfig = (configId: string, value: string | boolean) => void;

/** The agent's own options, in its order; a type that is not known shows its value only. */
export function ConfigControls({
  options,
  pendingId,
  onChange,
}: {
  options: readonly JsonObject[];
  /** The option whose change is on its way. */
  pendingId: string | null;
  onChange: ChangeConfig;
}) {
  return (
    <div className="space-y-3">
      {options.map((option) => (
        <ConfigControl
          key={asText(option.id)}
          option={option}
          isPending={pendingId === option.id}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

function ConfigControl({
  option,
  isPending,
  onChange,
}: {
  option: JsonObject;
  isPending: boolean;
  onChange: ChangeConfig;
}) {
  const fieldId = useId();
  const configId = asText(option.id);
  if (configId === null) return null;
  const name = asText(option.name) ?? configId;
  const description = asText(option.description);
  const isOn = option.currentValue;
  if (option.type === "boolean" && typeof isOn === "boolean") {
    return (
      <div className="flex items-center gap-2">
        <label
          htmlFor={fieldId}
          className="min-w-0 flex-1 text-sm"
          title={description ?? undefined}
        >
          {name}
        </label>
        <Switch
          id={fieldId}
          checked={isOn}
          disabled={isPending}
          onCheckedChange={(value) => onChange(configId, value)}
        />
      </div>
    );
  }
  if (option.type !== "select") {
    return (
      <p className="text-sm">
        {name}: <span className="text-muted">{valueName(option)}</span>
      </p>
    );
  }
  return (
    <div className="space-y-1">
      <label
        htmlFor={fieldId}
        className="block text-muted text-xs"
        title={description ?? undefined}
      >
        {name}
      </label>
      <Select
        id={fieldId}
        className="w-full"
        value={asText(option.currentValue) ?? ""}
        disabled={isPending}
        onChange={(event) => onChange(configId, event.target.value)}
      >
        {asObjects(option.options).map((item) => (
          <ConfigChoice key={asText(item.value) ?? asText(item.group)} item={item} />
        ))}
      </Select>
    </div>
  );
}

function ConfigChoice({ item }: { item: JsonObject }) {
  if (asArray(item.options)) {
    return (
      <optgroup label={asText(item.name) ?? asText(item.group) ?? ""}>
        {asObjects(item.options).map((inner) => (
          <ConfigChoice key={asText(inner.value)} item={inner} />
        ))}
      </optgroup>
    );
  }
  return (
    <option value={asText(item.value) ?? ""}>{asText(item.name) ?? asText(item.value)}</option>
  );
}

/** Modes of an agent that has no options; they can only be seen. */
export function ModeLine({ modes }: { modes: JsonObject | null }) {
  const current = asText(modes?.currentModeId);
  if (current === null) return null;
  const known = asObjects(modes?.availableModes).find((mode) => mode.id === current);
  return (
    <p className="text-sm">
      Mode: <span className="text-muted">{asText(asObject(known)?.name) ?? current}</span>
    </p>
  );
}
