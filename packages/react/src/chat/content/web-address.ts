/** The link rule of the chat: only addresses of the web are links, and none that put a name in front of their host. */
export const isWebAddress = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
};
