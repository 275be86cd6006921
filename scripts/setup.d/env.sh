# shellcheck shell=sh
# What a shell needs so that plain `pulumi` finds this project's tools and state from any folder.
# shellcheck disable=SC2154 # root, toolchain, state: set by scripts/setup

# Our own Pulumi keeps its plugins in a home of its own; a system-wide one keeps its user's.
use_own_pulumi() { [ -x "$toolchain/pulumi/bin/pulumi" ]; }

# quote TEXT: one shell word.
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

# Pulumi.yaml's backend is relative to the current folder; from a subfolder only an absolute one is the same state.
backend_is_local() { grep -q '^ *url: *file://\./\.state *$' "$root/Pulumi.yaml"; }

print_environment() {
    if use_own_pulumi; then
        case :$PATH: in
            *":$toolchain/pulumi/bin:"*) ;;
            *) echo "export PATH=$(quote "$toolchain/pulumi/bin"):\"\$PATH\"" ;;
        esac
        echo "export PULUMI_HOME=$(quote "$toolchain/pulumi-home")"
    fi
    if [ -z "${PULUMI_BACKEND_URL:-}" ] && backend_is_local; then
        echo "export PULUMI_BACKEND_URL=$(quote "file://$state")"
    fi
    if [ -z "${PULUMI_CONFIG_PASSPHRASE+set}" ] && [ -z "${PULUMI_CONFIG_PASSPHRASE_FILE:-}" ]; then
        [ ! -f "$state/passphrase" ] || echo "export PULUMI_CONFIG_PASSPHRASE_FILE=$(quote "$state/passphrase")"
    fi
    # The salt of a stack file that has none comes from the state, so it is the same one each time.
    echo "export PULUMI_FALLBACK_TO_STATE_SECRETS_MANAGER=true PULUMI_SKIP_UPDATE_CHECK=true"
}

# In this process, for the steps that follow.
use_environment() { eval "$(print_environment)"; }
