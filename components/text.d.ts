/** Scripts for the nodes are bundled as text (scripts/bundle.js; tests/shellText.js for jest). */
declare module "*.sh" {
    const text: string;
    export default text;
}
declare module "*.py" {
    const text: string;
    export default text;
}
