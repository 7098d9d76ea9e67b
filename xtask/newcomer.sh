#!/usr/bin/env bash
# Plays a newcomer: clone, the two commands of the README, install from the packaged crates into an empty cargo home, a new
# project with a kind and webhooks, its tests, `kgen verify`, and pre-commit. Nothing is published.
#
# usage: newcomer.sh REPOSITORY WORK
#
# WORK keeps what is built from run to run; remove it to play somebody without any of that. Files that have not changed since the
# last run keep their dates, so cargo builds only the others. Of the caller's cargo home, only downloaded crates are shared.
set -euo pipefail
repository=$1
work=$2
shared_home=${CARGO_HOME:-$HOME/.cargo}

say() { printf '\n── newcomer: %s\n' "$*"; }

# Refuses output that lacks the given text.
expect() { grep -qF -- "$1" "$2" || { echo "expected \`$1\` in:"; cat "$2"; exit 1; }; }

# Makes the folder $2 the same as $1, without touching files that already are.
update() {
    mkdir -p "$2"
    (cd "$2" && find . -type f) | while read -r file; do [ -e "$1/$file" ] || rm "$2/$file"; done
    (cd "$1" && find . -type f) | while read -r file; do
        cmp -s "$1/$file" "$2/$file" || { mkdir -p "$(dirname "$2/$file")" && cat "$1/$file" > "$2/$file"; }
    done
}

mkdir -p "$work"
rm -rf "${work:?}/home" "$work/unpacked" "$work/guestbook"
export CARGO_HOME=$work/home
mkdir -p "$CARGO_HOME/bin" "$work/unpacked"
if [ -d "$shared_home/registry" ]; then ln -s "$shared_home/registry" "$CARGO_HOME/registry"; fi
if [ -f "$shared_home/config.toml" ]; then cat "$shared_home/config.toml" > "$CARGO_HOME/config.toml"; fi
export PATH=$CARGO_HOME/bin:$PATH
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=newcomer GIT_AUTHOR_EMAIL=newcomer@example.com
export GIT_COMMITTER_NAME=newcomer GIT_COMMITTER_EMAIL=newcomer@example.com
# One folder for the clone and the installation, so that they share the crates of others.
export CARGO_TARGET_DIR=$work/target CARGO_PROFILE_DEV_DEBUG=line-tables-only

say 'git clone'
[ -d "$work/clone" ] || git clone --quiet "$repository" "$work/clone"
cd "$work/clone"
git fetch --quiet "$repository" HEAD
git reset --quiet --hard FETCH_HEAD
git clean --quiet -ffdx

say 'the first command of the README'
cargo run -p kgen-cli -- crd paths=testdata/quickstart/api output:stdout > "$work/stdout" 2> "$work/stderr"
expect 'name: memcacheds.example.com' "$work/stdout"
expect 'Compiling kgen-cli' "$work/stderr"

say 'the second command, as far as it takes no minutes'
cargo xtask ci format | tee "$work/stdout"
expect '1 passed, 0 failed' "$work/stdout"

say 'cargo package'
excluded=()
for name in $(cargo xtask release --print-unpublished); do excluded+=(--exclude "$name"); done
rm -rf "$CARGO_TARGET_DIR/package"
cargo package --quiet --workspace --no-verify "${excluded[@]}"
for file in "$CARGO_TARGET_DIR"/package/*.crate; do tar -xzf "$file" -C "$work/unpacked"; done
# All files of a package have one old date, by which cargo would take them for those of the last run.
update "$work/unpacked" "$work/crates"
{
    echo '[patch.crates-io]'
    for folder in "$work"/crates/*; do
        name=$(sed -n 's/^name = "\(.*\)"$/\1/p' "$folder/Cargo.toml" | head -1)
        echo "$name = { path = \"$folder\" }"
    done
} >> "$CARGO_HOME/config.toml"

say 'cargo install'
cargo install --debug --quiet --path "$work"/crates/kgen-cli-*
kgen --version

say 'kgen init, create api, create webhook'
cd "$work"
kgen init guestbook --domain example.com 2> "$work/stderr"
expect 'comes from the registry' "$work/stderr"
cd guestbook
kgen create api --group webapp --version v1 --kind Guestbook
kgen create webhook --group webapp --version v1 --kind Guestbook --defaulting --validation
[ ! -e Cargo.lock ] || { echo 'there is a lock file already'; exit 1; }
kgen verify

say 'cargo test'
cargo test
[ -e Cargo.lock ]
# The first one that can read the source of other crates.
kgen verify

say 'pre-commit'
pre_commit=$(command -v pre-commit || true)
if [ -z "$pre_commit" ]; then
    pre_commit=$work/venv/bin/pre-commit
    if [ ! -x "$pre_commit" ]; then
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet --disable-pip-version-check pre-commit
    fi
fi
export PRE_COMMIT_HOME=$work/pre-commit
rm -rf "$PRE_COMMIT_HOME"
git init --quiet
{
    echo 'repos:'
    echo "- repo: $work/clone"
    echo "  rev: $(git -C "$work/clone" rev-parse HEAD)"
    echo '  hooks:'
    echo '  - id: kgen-verify'
    echo '  - id: kgen-generate'
    echo '    stages: [manual]'
} > .pre-commit-config.yaml
git add --all
"$pre_commit" install
git commit --quiet --message 'Begin' 2> "$work/stderr"
expect 'Passed' "$work/stderr"
echo '// +kubebuilder:rbac:groups="",resources=secrets,verbs=get' >> src/lib.rs
git add --all
if git commit --quiet --message 'Read secrets' > "$work/stdout" 2>&1; then
    echo 'pre-commit let a commit pass whose role is out of date'
    exit 1
fi
expect 'kgen verify' "$work/stdout"
expect 'config/rbac/role.yaml' "$work/stdout"
"$pre_commit" run --hook-stage manual kgen-generate --all-files > "$work/stdout" 2>&1 || true
expect 'files were modified by this hook' "$work/stdout"
git add --all
git commit --quiet --message 'Read secrets'

say 'done'
