// For jest: `import text from "./x.sh"`, or "./x.py", gives the script's text, as the bundles do (scripts/bundle.js).
module.exports = {
    process(text) {
        return {
            code: `module.exports = { __esModule: true, default: ${JSON.stringify(text)} };`,
        };
    },
};
