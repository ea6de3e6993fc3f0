import type { OversizeLine } from '../reading/line-reader.js';

/** A request id of the server leg. */
export type WireId = string | number;

/** Something that arrived from a server and is not a message; `id` names the request it would have answered. */
export type WireProblem =
  | { kind: 'noise'; text: string }
  | { kind: 'malformed'; text: string; id?: WireId }
  | { kind: 'oversize'; bytes: number; limit: number; id?: WireId };

/** Whether a JSON value can be the id of a request. */
export const isWireId = (value: unknown): value is WireId =>
  typeof value === 'string' || typeof value === 'number';

/** Reads the id a JSON value claims to answer, if it looks like an answer at all. */
export const readAnsweredId = (value: unknown): WireId | undefined => {
  if (typeof value !== 'object' || value === null || 'method' in value || !('id' in value)) return undefined;
  return isWireId(value.id) ? value.id : undefined;
};

/** Finds the id in the edges of a line too long to parse: servers write it either first or last. */
export const readOversizeId = ({ head, tail }: OversizeLine): WireId | undefined => {
  const id = '"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{1,100}")';
  const found =
    new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${id}\\s*,`).exec(head) ??
    new RegExp(`[,}]\\s*${id}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`).exec(tail);
  const text = found?.[1];
  if (text === undefined) return undefined;
  return text.startsWith('"') ? text.slice(1, -1) : Number(text);
};
