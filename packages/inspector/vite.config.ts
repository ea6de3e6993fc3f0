import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    target: 'es2023',
    // The first versions with light-dark(), which must reach apps as it is written, not as a substitute.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The page's policy allows no data: addresses for scripts and styles; small files stay files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The document around it, with its own script and style, is put together by scripts/lib/page-document.mjs.
      input: 'src/main.tsx',
      // The document's script calls what this entry exports; parts that are loaded late may use more of it.
      preserveEntrySignatures: 'allow-extension',
      onwarn(warning, warn) {
        // 'use client' is for frameworks with server components; this page is all for the browser.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
