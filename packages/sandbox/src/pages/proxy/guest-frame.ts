/** Creates the element of the guest's frame; `createGuestPlace` puts it into the page. */
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

/** The guest's place in the page: its present frame, and the secret word that proves the frame's loader. */
export interface GuestPlace {
  readonly frame: HTMLIFrameElement;
  /** Whether this is the word of the frame's loader; it is valid once. */
  takePass(pass: unknown): boolean;
  /** A new frame with a new word in place of the last one. */
  renew(): void;
}

/**
 * Creates the guest's place and puts the first frame into it. Guest code runs in the document and the origin of its
 * loader, so nothing proves a loader but a word that no guest code can have heard: it is made for one frame element, is
 * read by the first script of its first document, and has been used before that document becomes the app. A document
 * that comes later in the same frame has no word. It does not get the app; the whole frame is made anew.
 */
export const createGuestPlace = (options: {
  build(): HTMLIFrameElement;
  onLoad(frame: HTMLIFrameElement): void;
}): GuestPlace => {
  let pass: string | undefined;
  const place = (): HTMLIFrameElement => {
    const frame = options.build();
    pass = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('-');
    frame.name = pass;
    frame.addEventListener('load', () => options.onLoad(frame));
    document.body.append(frame);
    return frame;
  };
  let frame = place();
  return {
    get frame() {
      return frame;
    },
    takePass(given) {
      const isRight = pass !== undefined && given === pass;
      if (isRight) pass = undefined;
      return isRight;
    },
    renew() {
      // First out, then in: what the last document left running must not meet the next one.
      frame.remove();
      frame = place();
    },
  };
};
