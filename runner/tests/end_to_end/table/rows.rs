//! The repositories of the table.

/// A kind of repository: how it is made from a plain clone, in a shell, and where it differs.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) make: &'static str,
    /// What is mapped.
    pub(super) clone: &'static str,
    /// Where branches arrive.
    pub(super) target: &'static str,
    pub(super) default: &'static str,
    /// Files that each run leaves in repositories inside, or outside of a sparse checkout.
    pub(super) left: &'static [&'static str],
    /// Endings of `make test`.
    pub(super) quick: [&'static str; 3],
}

const PLAIN: Row = Row {
    name: "plain",
    make: "",
    clone: "clone",
    target: "origin.git",
    default: "main",
    left: &[],
    quick: ["conflict", "resolved", "killed"],
};

/// Makes the clone again from origin.
macro_rules! again {
    ($options:literal) => {
        concat!("rm -rf clone && git clone -q ", $options, " \"file://$PWD/origin.git\" clone")
    };
}

pub(super) const ROWS: [Row; 18] = [
    PLAIN,
    Row { name: "shallow", make: again!("--depth 1"), quick: ["committed", "rebased", "second"], ..PLAIN },
    Row {
        name: "partial",
        make: concat!(
            "git -C origin.git config uploadpack.allowFilter true && ",
            again!("--filter=blob:none")
        ),
        quick: ["uncommitted", "merging", "deleted"],
        ..PLAIN
    },
    Row {
        name: "sparse",
        make: "git -C clone sparse-checkout set in",
        left: &["left-outside.txt"],
        quick: ["uncommitted", "amended", "killed"],
        ..PLAIN
    },
    Row {
        name: "submodules",
        make: "git init -q --bare -b main lib.git && git clone -q lib.git lib && git -C lib commit -q --allow-empty -m Lib \
               && git -C lib push -q origin HEAD:main && git -C clone -c protocol.file.allow=always submodule add -q \
               \"$PWD/lib.git\" lib && git -C clone commit -qm Lib && git -C clone push -q origin HEAD:main",
        left: &["left-in-lib.txt"],
        quick: ["pushed", "stash", "conflict"],
        ..PLAIN
    },
    Row {
        name: "lfs",
        make: "git -C clone lfs install --local >/dev/null && echo '*.bin filter=lfs diff=lfs merge=lfs -text' \
               >clone/.gitattributes && git -C clone add . && git -C clone commit -qm Lfs && git -C clone push -q origin \
               HEAD:main",
        quick: ["committed", "tag", "forced"],
        ..PLAIN
    },
    Row {
        name: "nested",
        make: "",
        left: &["left-in-nested.txt", "left-in-empty.txt"],
        quick: ["pushed", "killed", "detached"],
        ..PLAIN
    },
    Row {
        name: "sha256",
        make: "git init -q --bare --object-format=sha256 -b main new.git && git init -q --object-format=sha256 -b main new \
               && cp -r clone/README.md clone/in clone/out new/ && git -C new add . && git -C new commit -qm One \
               && git -C new remote add origin \"$PWD/origin.git\" && rm -rf origin.git clone && mv new.git origin.git \
               && git -C new push -q origin HEAD:main && mv new clone && git -C clone fetch -q",
        quick: ["uncommitted", "rebased", "stash"],
        ..PLAIN
    },
    Row {
        name: "reftable",
        make: again!("--ref-format=reftable"),
        quick: ["pushed", "second", "resolved"],
        ..PLAIN
    },
    Row {
        name: "bare",
        make: "mkdir layout && git clone -q --bare origin.git layout/.bare && echo 'gitdir: ./.bare' >layout/.git \
               && git -C layout config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*' && git -C layout fetch -q \
               && git -C layout worktree add -q main main",
        clone: "layout",
        quick: ["detached", "amended", "merging"],
        ..PLAIN
    },
    Row {
        name: "linked",
        make: "git -C clone worktree add -q ../linked -b mine",
        clone: "linked",
        quick: ["tag", "forced", "uncommitted"],
        ..PLAIN
    },
    Row {
        name: "fork",
        make: "git clone -q --bare origin.git fork.git && git -C clone config remote.origin.pushurl \"$PWD/fork.git\"",
        target: "fork.git",
        quick: ["pushed", "committed", "deleted"],
        ..PLAIN
    },
    Row {
        name: "trunk",
        make: "git -C origin.git branch -m main trunk && git -C origin.git symbolic-ref HEAD refs/heads/trunk && \
               rm -rf clone && git clone -q origin.git clone",
        default: "trunk",
        quick: ["rebased", "conflict", "stash"],
        ..PLAIN
    },
    Row {
        name: "upstream",
        make: "git config --global clone.defaultRemoteName upstream && git config --global init.defaultBranch other",
        quick: ["committed", "second", "uncommitted"],
        ..PLAIN
    },
    Row {
        name: "signed",
        make: "ssh-keygen -q -t ed25519 -N '' -f key && git -C clone config gpg.format ssh && git -C clone config \
               user.signingKey \"$PWD/key\" && git -C clone config commit.gpgSign true && cat >origin.git/hooks/update <<'X'\n\
               #!/bin/sh\ncase $3 in *[!0]*) git cat-file commit $3 | grep -q ^gpgsig || { echo not signed >&2; exit 1; };; \
               esac\nX\nchmod +x origin.git/hooks/update",
        quick: ["pushed", "resolved", "amended"],
        ..PLAIN
    },
    Row {
        name: "husky",
        make: "mkdir -p clone/.husky && printf '#!/bin/sh\\necho hooked >>\"$1\"\\n' >clone/.husky/commit-msg && chmod +x \
               clone/.husky/commit-msg && git -C clone add . && git -C clone commit -qm Husky && git -C clone push -q origin \
               HEAD:main && git -C clone config core.hooksPath .husky",
        quick: ["committed", "merging", "tag"],
        ..PLAIN
    },
    Row {
        name: "crlf",
        make: "echo '*.txt text eol=crlf' >clone/.gitattributes && git -C clone config core.autocrlf true && git -C clone add . \
               && git -C clone commit -qm Crlf && git -C clone push -q origin HEAD:main",
        quick: ["uncommitted", "detached", "rebased"],
        ..PLAIN
    },
    Row {
        name: "large",
        make: "{ echo 'commit refs/heads/main'; echo 'committer P <p@x> 1 +0000'; echo 'data 0'; echo 'from refs/heads/main^0'; \
               for n in $(seq 100000); do echo \"M 100644 inline many/$((n / 1000))/$n\"; echo 'data 2'; echo x; done; } | \
               git -C origin.git fast-import --quiet && git -C clone pull -q origin main",
        quick: ["uncommitted", "", ""],
        ..PLAIN
    },
];
