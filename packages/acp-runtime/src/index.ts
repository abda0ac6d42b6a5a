export type {
  Caller,
  HistoryPage,
  HistoryQuery,
  ListQuery,
  Runtime,
  RuntimeInfo,
  WithSession,
} from "./runtime.ts";
