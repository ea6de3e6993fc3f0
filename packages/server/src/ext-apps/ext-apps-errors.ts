/** The numbers of the handler's errors: those of JSON-RPC, and four of FrontMCP. */
export const EXT_APPS_ERROR_CODES = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  TOOL_NOT_FOUND: -32001,
  TOOL_EXECUTION_FAILED: -32002,
  NOT_SUPPORTED: -32003,
  CANCELLED: -32004,
} as const;

/** One of those numbers. */
export type ExtAppsErrorCode = (typeof EXT_APPS_ERROR_CODES)[keyof typeof EXT_APPS_ERROR_CODES];

/** An error whose number and words an app may see; thrown in a callback it becomes the answer. */
export class ExtAppsError extends Error {
  readonly code: ExtAppsErrorCode;

  constructor(
    message: string,
    code: ExtAppsErrorCode = EXT_APPS_ERROR_CODES.INTERNAL_ERROR,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ExtAppsError';
    this.code = code;
  }
}

/** There is no such method. */
export class ExtAppsMethodNotFoundError extends ExtAppsError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXT_APPS_ERROR_CODES.METHOD_NOT_FOUND, options);
    this.name = 'ExtAppsMethodNotFoundError';
  }
}

/** The parameters are not what the method takes. */
export class ExtAppsInvalidParamsError extends ExtAppsError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXT_APPS_ERROR_CODES.INVALID_PARAMS, options);
    this.name = 'ExtAppsInvalidParamsError';
  }
}

/** The host does not do this, or did not say so. */
export class ExtAppsNotSupportedError extends ExtAppsError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXT_APPS_ERROR_CODES.NOT_SUPPORTED, options);
    this.name = 'ExtAppsNotSupportedError';
  }
}

/** The server has no such tool. */
export class ExtAppsToolNotFoundError extends ExtAppsError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXT_APPS_ERROR_CODES.TOOL_NOT_FOUND, options);
    this.name = 'ExtAppsToolNotFoundError';
  }
}
