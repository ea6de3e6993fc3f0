/** Whether this browser reaches the sandbox under `base`; false where names below localhost do not resolve. */
export const probeSandbox = async (base: string, timeoutMs = 2_000): Promise<boolean> => {
  try {
    const { protocol, host } = new URL(base);
    // An opaque answer is enough: the question is whether there is one.
    await fetch(`${protocol}//sandbox.${host}/probe`, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return true;
  } catch {
    return false;
  }
};
