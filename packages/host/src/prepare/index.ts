// What makes an app ready before anybody asks for it. A door of its own: pages that do not do so load nothing of it.
export { prepareApp } from '../dom/prepare-app.js';
