/** Puts the guest's one frame into the page: full size, borderless, and nothing of it moves afterwards. */
export const createGuestFrame = (options: {
  readonly sandbox: string;
  readonly allow: string;
  readonly source: { readonly src: string } | { readonly srcdoc: string };
}): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', options.sandbox);
  frame.setAttribute('allow', options.allow);
  frame.referrerPolicy = 'no-referrer';
  frame.title = 'MCP App';
  if ('src' in options.source) frame.src = options.source.src;
  else frame.srcdoc = options.source.srcdoc;
  return frame;
};
