/** Directories of a container in which its libraries keep what they compile while they run. */
const paths =
    /^\/root\/(?:\.triton|\.nv|\.tilelang|\.cute_dsl|\.cache\/(?:vllm|flashinfer|triton|torch|torch_extensions|torchinductor|deep_gemm|tilelang|cutlass|cute_dsl|tvm-ffi|tvm_ffi|b12x))(?:\/|$)/;

/** Variables that put such a directory elsewhere. */
const variables =
    /^(?:TRITON_CACHE_DIR|TRITON_HOME|TORCHINDUCTOR_CACHE_DIR|TORCH_EXTENSIONS_DIR|VLLM_CACHE_ROOT|FLASHINFER_WORKSPACE_BASE|FLASHINFER_CACHE_DIR|FLASHINFER_JIT_DIR|CUDA_CACHE_PATH|DG_JIT_CACHE_DIR|DG_CACHE_DIR|TILELANG_CACHE_DIR|CUTE_DSL_CACHE_DIR|TVM_FFI_CACHE_DIR|VLLM_FLASHINFER_AUTOTUNE_CACHE_DIR)$/;

/** Whether a variable names a kernel cache. */
export function isKernelCacheVariable(name: string): boolean {
    return variables.test(name);
}

/** Whether what is mounted there is a kernel cache: by its place, or by the variable that the mount sets. */
export function isKernelCache(mount: {
    readonly container?: string | undefined;
    readonly env?: string | undefined;
}): boolean {
    return (
        paths.test(mount.container ?? "") ||
        (mount.env !== undefined && isKernelCacheVariable(mount.env))
    );
}
