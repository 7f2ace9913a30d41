// Builds the viewer as one HTML file with everything in it: build/viewer/viewer.html.
import { defineConfig, type Plugin } from "vite";

function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("no page");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const code = file.code.replace(/<\/script/g, "<\\/script").replace(/<!--/g, "<\\!--");
          html = html.replace(/<script type="module"[^>]*><\/script>/, "").replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(file.source)}</style>`);
        } else continue;
        delete bundle[name];
      }
      page.source = html;
      page.fileName = "viewer.html";
    },
  };
}

export default defineConfig({
  base: "./",
  build: { outDir: "../build/viewer", emptyOutDir: true, modulePreload: false, assetsInlineLimit: 1e9, cssCodeSplit: false, target: "es2022", chunkSizeWarningLimit: 2000 },
  plugins: [oneFile()],
});
