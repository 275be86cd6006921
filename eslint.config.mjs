import tseslint from "typescript-eslint";

import { layers } from "./scripts/lint/layers.mjs";

export default tseslint.config(
    { ignores: ["dist/", "coverage/", ".toolchain/", ".state/", ".lab/", "docker-images/"] },
    { linterOptions: { reportUnusedDisableDirectives: "error" } },
    {
        name: "typescript",
        files: ["**/*.ts"],
        extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
        languageOptions: {
            parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
        },
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            "no-param-reassign": ["error", { props: true }],
            "object-shorthand": "error",
            "max-lines": ["error", { max: 200 }],
            // What a position or a rest pattern forces to be named starts with an underscore.
            "@typescript-eslint/no-unused-vars": [
                "error",
                { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
            ],
            "@typescript-eslint/consistent-type-imports": [
                "error",
                { disallowTypeAnnotations: false },
            ],
            "@typescript-eslint/switch-exhaustiveness-check": [
                "error",
                { considerDefaultExhaustiveForUnions: true },
            ],
        },
    },
    {
        name: "product code",
        files: ["index.ts", "components/**/*.ts", "cli/**/*.ts"],
        rules: {
            "max-lines-per-function": [
                "error",
                { max: 40, skipBlankLines: true, skipComments: true },
            ],
        },
    },
    ...layers,
    {
        name: "tests",
        files: ["tests/**/*.ts"],
        rules: {
            "max-lines": ["error", { max: 300 }],
            // A test reads what it has just put there; a wrong guess fails the test anyway.
            "@typescript-eslint/no-non-null-assertion": "off",
        },
    },
    {
        name: "plain JavaScript",
        files: ["**/*.{js,mjs}"],
        extends: [tseslint.configs.strict],
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            "max-lines": ["error", { max: 200 }],
            "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
            // Node loads these files as they are.
            "@typescript-eslint/no-require-imports": "off",
        },
    },
);
