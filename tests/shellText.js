// For jest: `import text from "./x.sh"` gives the script's text, as the bundles do (scripts/bundle.js).
module.exports = {
    process(text) {
        return {
            code: `module.exports = { __esModule: true, default: ${JSON.stringify(text)} };`,
        };
    },
};
