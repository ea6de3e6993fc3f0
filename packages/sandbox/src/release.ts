/** The release of this code. Sandbox addresses carry it, and a proxy says it: a page notices a sandbox of another one. */
export const SANDBOX_RELEASE = '0.1.0';
