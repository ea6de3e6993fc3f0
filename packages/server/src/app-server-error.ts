/** Everything that can be wrong with an app as its author describes it. */
export const appServerErrorCodes = [
  'tool-name',
  'ui-missing',
  'ui-unknown-key',
  'ui-conflict',
  'resource-uri',
  'resource-uri-taken',
  'resource-mime',
  'template-missing',
  'template-unreadable',
  'template-not-html',
  'csp-on-tool',
  'csp-invalid',
  'permissions-invalid',
  'domain-invalid',
  'border-invalid',
  'visibility-invalid',
  'capabilities-invalid',
  'openai-invalid',
  'reserved-label',
] as const;

/** One of the closed list of codes. */
export type AppServerErrorCode = (typeof appServerErrorCodes)[number];

/** An app that no host could show as meant: what is wrong, and in `fix` what to write instead. */
export class AppServerError extends Error {
  readonly code: AppServerErrorCode;
  readonly fix: string;

  constructor(code: AppServerErrorCode, message: string, fix: string, options?: ErrorOptions) {
    super(`${message} ${fix}`, options);
    this.name = 'AppServerError';
    this.code = code;
    this.fix = fix;
  }
}
