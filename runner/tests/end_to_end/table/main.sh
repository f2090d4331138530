# What the scripted harness of the table does: `of_<repository>` first, then `ends_<ending>`. Every commit that it makes is
# written down, and must be found again.
note() { for name in "${@:-HEAD}"; do git rev-parse "$name" >>"$TABLE/$SVC_RUN_ID"; done; }
save() { echo "$2 of $SVC_RUN_ID" >>"$1" && git add -- "$1" && git commit -q -m "$2" && note; }
branch=$(git branch --show-current)
work() { save work.txt "${1:-work}" || exit 1; }
push() { git push -q "$@" origin "HEAD:refs/heads/$branch" || exit 1; }
# Somebody else's commit on the default branch, in the file that this run changes too.
main_moves() {
    theirs=$TABLE/other-$SVC_RUN_ID
    git clone -q --origin origin "file://$ORIGIN" "$theirs" || exit 1
    for setting in gpg.format user.signingKey commit.gpgSign; do
        value=$(git config "$setting") && git -C "$theirs" config "$setting" "$value"
    done
    # Others move it at the same time.
    until
        git -C "$theirs" fetch -q origin "$DEFAULT" && git -C "$theirs" reset -q --hard FETCH_HEAD &&
            echo "theirs $SVC_RUN_ID" >"$theirs/README.md" && git -C "$theirs" commit -qam Theirs &&
            git -C "$theirs" push -q origin "HEAD:refs/heads/$DEFAULT" 2>/dev/null
    do sleep 0.05; done
    git fetch -q origin "+refs/heads/$DEFAULT:refs/remotes/origin/$DEFAULT" || exit 1
}

of_submodules() {
    git -c protocol.file.allow=always submodule update -q --init || exit 1
    (cd lib && save in-lib.txt lib && git checkout -q -b elsewhere && echo left >left-in-lib.txt) || exit 1
}
of_nested() {
    git init -q nested && (cd nested && save in-nested.txt nested && echo left >left-in-nested.txt) || exit 1
    git init -q empty && echo left >empty/left-in-empty.txt
}
of_lfs() { save large.bin large; }
of_sparse() { mkdir -p out && echo new >out/left-outside.txt; }
of_crlf() { printf 'one\r\ntwo\r\n' >lines.txt && git add lines.txt && git commit -q -m Lines && note; }

ends_pushed() { work; push; }
ends_committed() { work; }
ends_uncommitted() { work; push; echo left >left.txt; echo changed >>README.md; }
ends_detached() { work; git checkout -q --detach; work detached; }
ends_second() { work; push; git checkout -q -b "second-$branch"; work second; git checkout -q "$branch"; }
ends_stash() { work; push; echo stashed >>work.txt; git stash -q || exit 1; note refs/stash; }
ends_tag() { work; push; git checkout -q --detach; work tagged; git tag -m t "tag-$branch"; git checkout -q "$branch"; }
ends_amended() { work; echo more >>work.txt; git add work.txt; git commit -q --amend -m Amended && note; push; }
ends_rebased() { work; main_moves; git rebase -q "origin/$DEFAULT" && note || exit 1; push; }
ends_conflict() { save README.md mine || exit 1; main_moves; git rebase -q "origin/$DEFAULT" >/dev/null 2>&1 && exit 1; :; }
ends_merging() { save README.md mine || exit 1; main_moves; git merge -q "origin/$DEFAULT" >/dev/null 2>&1 && exit 1; :; }
ends_resolved() {
    save README.md mine || exit 1
    main_moves
    git merge -q "origin/$DEFAULT" >/dev/null 2>&1 && exit 1
    echo both >README.md && git add README.md
}
ends_forced() { work; push; echo more >>work.txt; git add work.txt; git commit -q --amend -m Forced && note; push --force; }
ends_deleted() { work; push; git push -q origin --delete "$branch" || exit 1; }
ends_killed() { work; echo left >left.txt; touch "$TABLE/$SVC_RUN_ID.hangs"; exec sleep 600; }
