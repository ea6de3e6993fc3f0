import { isRecord, readOwn } from '../is-record.js';

/** Names a request within one connection. */
export type JsonRpcId = string | number;

/** The numeric error a guest or server sees. */
export interface WireError {
  code: number;
  message: string;
  data?: unknown;
}

/** A call that expects an answer. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: JsonRpcId;
  method: string;
  params?: Record<string, unknown>;
}

/** A call without an answer. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: Record<string, unknown>;
}

/** The good answer to a request. */
export interface JsonRpcSuccess {
  jsonrpc: '2.0';
  id: JsonRpcId;
  result: Record<string, unknown>;
}

/** The bad answer to a request; the id is null when the request's own id could not be used. */
export interface JsonRpcFailure {
  jsonrpc: '2.0';
  id: JsonRpcId | null;
  error: WireError;
}

/** Anything that may travel on a transport. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcSuccess | JsonRpcFailure;

/** The outcome of reading one incoming value; `id` is there when the sender can be told. */
export type ParsedMessage =
  { ok: true; message: JsonRpcMessage } | { ok: false; reason: string; id?: JsonRpcId };

/** Ids and method names are echoed and used as keys; nobody needs longer ones. */
const MAX_NAME_LENGTH = 512;

const isId = (value: unknown): value is JsonRpcId =>
  Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= MAX_NAME_LENGTH);

/** Turns an untrusted value into a message built from known members only; never throws. */
export const parseJsonRpcMessage = (value: unknown): ParsedMessage => {
  try {
    return parseUnguarded(value);
  } catch {
    // A getter or revoked proxy inside the value; cannot come through structured clone, but costs nothing.
    return { ok: false, reason: 'the message could not be read' };
  }
};

const parseUnguarded = (value: unknown): ParsedMessage => {
  if (Array.isArray(value)) return { ok: false, reason: 'batches are not supported' };
  if (!isRecord(value)) return { ok: false, reason: 'not a JSON-RPC object' };
  const [id, method, params] = [readOwn(value, 'id'), readOwn(value, 'method'), readOwn(value, 'params')];
  const [result, error] = [readOwn(value, 'result'), readOwn(value, 'error')];
  const jsonrpc = '2.0';
  if (readOwn(value, 'jsonrpc') !== jsonrpc) return { ok: false, reason: 'jsonrpc is not "2.0"' };

  if (method === undefined) {
    if (result !== undefined && error !== undefined) {
      return { ok: false, reason: 'a response has both result and error' };
    }
    if (error !== undefined) return parseFailure(id, error);
    if (result === undefined) {
      return { ok: false, reason: 'neither method, result nor error', ...(isId(id) && { id }) };
    }
    if (!isId(id)) return { ok: false, reason: 'a response without a usable id' };
    if (!isRecord(result)) return { ok: false, reason: 'result is not an object' };
    return { ok: true, message: { jsonrpc, id, result } };
  }

  const reply = isId(id) ? { id } : {};
  if (typeof method !== 'string' || method === '' || method.length > MAX_NAME_LENGTH) {
    return { ok: false, reason: 'method is not a usable string', ...reply };
  }
  if (result !== undefined || error !== undefined) {
    return { ok: false, reason: 'a request has result or error', ...reply };
  }
  if (id !== undefined && !isId(id)) return { ok: false, reason: 'id is neither a string nor an integer' };
  if (params !== undefined && !isRecord(params)) {
    return { ok: false, reason: 'params is not an object', ...reply };
  }
  return { ok: true, message: { jsonrpc, ...reply, method, ...(params && { params }) } };
};

const parseFailure = (id: unknown, error: unknown): ParsedMessage => {
  if (id !== undefined && id !== null && !isId(id)) {
    return { ok: false, reason: 'an error response without a usable id' };
  }
  if (!isRecord(error)) return { ok: false, reason: 'error is not an object' };
  const [code, message, data] = [readOwn(error, 'code'), readOwn(error, 'message'), readOwn(error, 'data')];
  if (typeof code !== 'number' || !Number.isFinite(code) || typeof message !== 'string') {
    return { ok: false, reason: 'error lacks a numeric code or a message' };
  }
  const wire: WireError = { code, message, ...(data !== undefined && { data }) };
  return { ok: true, message: { jsonrpc: '2.0', id: id ?? null, error: wire } };
};

/** A call that expects an answer. */
export const isRequest = (message: JsonRpcMessage): message is JsonRpcRequest =>
  'method' in message && 'id' in message;

/** A call without an answer. */
export const isNotification = (message: JsonRpcMessage): message is JsonRpcNotification =>
  'method' in message && !('id' in message);

/** A good or bad answer. */
export const isResponse = (message: JsonRpcMessage): message is JsonRpcSuccess | JsonRpcFailure =>
  !('method' in message);
