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
      onwarn(warning, warn) {
        // 'use client' is for frameworks with server components; this page is all for the browser.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
