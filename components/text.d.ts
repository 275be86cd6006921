/** Shell scripts are bundled as text (scripts/bundle.js; tests/shellText.js for jest). */
declare module "*.sh" {
    const text: string;
    export default text;
}
