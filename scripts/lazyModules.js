const Module = require("node:module");

/**
 * Puts off loading these modules until something of them is used.
 *
 * Only for modules whose importers take `require`'s result as it is, or through TypeScript's `__importStar`, which
 * leaves alone what has `__esModule`.
 *
 * @param {readonly string[]} names as they stand in `require`
 */
function lazyModules(names) {
    const load = Module._load;
    Module._load = function (name, ...rest) {
        return names.includes(name)
            ? standIn(() => load.call(this, name, ...rest))
            : load.call(this, name, ...rest);
    };
}

/** What looks like the module and becomes it at the first use. */
function standIn(load) {
    let loaded;
    const module = () => (loaded ??= load());
    return new Proxy(
        {},
        {
            get: (_, key) => (key === "__esModule" ? true : module()[key]),
            has: (_, key) => key in module(),
        },
    );
}

module.exports = { lazyModules };
