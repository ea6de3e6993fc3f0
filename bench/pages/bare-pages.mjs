// The least that can show a guest on an origin of its own behind a proxy on another: no policy, no checks, no limits.

const page = (script) =>
  `<!doctype html><meta charset="utf-8"><body style="margin:0"><script>${script}</script>`;

/** The middle page: passes everything between its parent and its only frame. */
export const toRelayPage = (innerUrl) =>
  page(`
    const inner = document.createElement('iframe');
    inner.style.cssText = 'border:0;width:100%;height:100%';
    inner.src = ${JSON.stringify(innerUrl)};
    document.body.append(inner);
    addEventListener('message', ({ source, data }) => {
      if (source === parent) inner.contentWindow.postMessage(data, '*');
      else if (source === inner.contentWindow) parent.postMessage(data, '*');
    });`);

/** The page that becomes the guest. */
export const loaderPage = page(`
    addEventListener('message', ({ data }) => {
      document.open();
      document.write(data.html);
      document.close();
    }, { once: true });
    parent.postMessage({ method: 'loader-ready' }, '*');`);
