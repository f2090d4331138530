//! What an agent that is still at work in a tree cannot do to the walk.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::*;

/// The owner that a test gives files to: another user where root tests, itself otherwise.
fn other() -> Owner {
    let me = Owner::me();
    if me.uid == 0 { Owner { uid: 65_534, gid: 65_534 } } else { me }
}

fn owner_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().uid()
}

fn mode_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

/// A tree with `a/1` … `a/9`, and a directory outside with a file `1`.
fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let (top, outside) = (directory.path().join("top"), directory.path().join("outside"));
    fs::create_dir_all(top.join("a/b")).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::set_permissions(top.join("a"), Permissions::from_mode(0o755)).unwrap();
    for number in 1..10 {
        fs::write(top.join(format!("a/b/{number}")), "given").unwrap();
        fs::write(outside.join(number.to_string()), "kept").unwrap();
    }
    (directory, top, outside)
}

/// The walk is in `a/b` when the agent exchanges `a` for a link: it stays in the directory that it opened.
#[test]
fn a_directory_that_becomes_a_link_leads_nobody_out() {
    let (directory, top, outside) = places();
    let moved = directory.path().join("moved");
    fs::create_dir(outside.join("b")).unwrap();
    fs::write(outside.join("b/9"), "kept").unwrap();
    let (swapped, mut giving) = (Cell::new(false), Giving { me: Owner::me(), to: other(), stayed: 0 });
    let before = fs::metadata(outside.join("b/9")).unwrap();
    let handle = open(CWD, &top, OFlags::DIRECTORY).unwrap();
    let mut swap = |name: &OsStr| {
        if name != "a" && name != "b" && !swapped.replace(true) {
            fs::rename(top.join("a"), &moved).unwrap();
            symlink(&outside, top.join("a")).unwrap();
        }
    };
    giving.content(&handle, 0, &mut swap).unwrap();
    assert!(swapped.get());
    let after = fs::metadata(outside.join("b/9")).unwrap();
    let touched = |meta: &fs::Metadata| (meta.uid(), meta.ctime(), meta.ctime_nsec());
    assert_eq!(touched(&before), touched(&after), "the file outside was not touched");
    for number in 1..10 {
        assert_eq!(owner_of(&moved.join(format!("b/{number}"))), other().uid);
    }
}

/// The agent exchanges the directory after the walk has looked at it, and before the walk opens it.
#[test]
fn a_link_in_the_place_of_a_directory_is_not_opened() {
    let (_directory, top, outside) = places();
    symlink(&outside, top.join("link")).unwrap();
    let handle = open(CWD, &top, OFlags::DIRECTORY).unwrap();
    assert!(open(&handle, "link", OFlags::DIRECTORY).is_err());
    assert!(open(&handle, "link", OFlags::empty()).is_err());
    give(&top, other()).unwrap();
    assert_eq!(owner_of(&outside.join("1")), Owner::me().uid);
}

#[test]
fn a_file_with_several_names_stays() {
    let (_directory, top, outside) = places();
    fs::hard_link(outside.join("1"), top.join("a/shadow")).unwrap();
    assert_eq!(give(&top, other()).unwrap(), 1);
    assert_eq!(owner_of(&outside.join("1")), Owner::me().uid);
    assert_eq!(owner_of(&top.join("a/b/1")), other().uid);
    assert_eq!((owner_of(&top), mode_of(&top)), (other().uid, 0o700));
}

#[test]
fn directories_that_lie_too_deep_in_each_other_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().join("top");
    let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 1).collect();
    fs::create_dir_all(top.join(deep)).unwrap();
    assert!(give(&top, other()).unwrap_err().to_string().contains("200"));
    assert_eq!(owner_of(&top), Owner::me().uid, "a tree that is not given whole stays closed");
    assert!(take(&top, other().uid).is_err());
}

/// A handle, and a second name, that the agent keeps of a file that git goes by is of no use to it afterwards.
#[test]
fn the_files_of_a_repository_are_taken_as_copies() {
    let (_directory, top, outside) = places();
    fs::create_dir_all(top.join(".git/objects/aa")).unwrap();
    for name in [".git/config", ".git/objects/aa/bb", ".git/objects/aa/cc"] {
        fs::write(top.join(name), "sound").unwrap();
    }
    fs::set_permissions(top.join(".git"), Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(top.join("a"), Permissions::from_mode(0o1777)).unwrap();
    symlink(&outside, top.join(".git/hooks")).unwrap();
    let mut kept = fs::File::options().append(true).open(top.join(".git/config")).unwrap();
    let before = fs::metadata(top.join(".git/config")).unwrap().modified().unwrap();
    give(&top, other()).unwrap();
    fs::hard_link(top.join("a/b/1"), top.join("a/b/second")).unwrap();
    fs::hard_link(top.join(".git/objects/aa/cc"), outside.join("cc")).unwrap();
    // Only root owns what is not the agent's here.
    let foreign = Owner::me() != other();
    if foreign {
        fs::hard_link(outside.join("1"), top.join("a/shadow")).unwrap();
        fs::hard_link(outside.join("1"), top.join(".git/shadow")).unwrap();
    } else {
        println!("only in part: nobody but root can give files to somebody else");
    }
    take(&top, other().uid).unwrap();
    assert!(!top.join(".git/hooks").is_symlink(), "it leads to what the agent still writes");
    assert!(!top.join("a/shadow").exists() && !top.join(".git/shadow").exists());
    assert!(top.join("a/b/second").exists() && outside.join("1").exists());
    io::Write::write_all(&mut kept, b"[core]\n\tfsmonitor = evil\n").unwrap();
    fs::write(outside.join("cc"), "broken").unwrap();
    for name in [".git/config", ".git/objects/aa/bb", ".git/objects/aa/cc"] {
        assert_eq!(fs::read_to_string(top.join(name)).unwrap(), "sound", "{name}");
        assert_eq!((owner_of(&top.join(name)), mode_of(&top.join(name)) & 0o077), (Owner::me().uid, 0));
    }
    assert_eq!(fs::metadata(top.join(".git/config")).unwrap().modified().unwrap(), before);
    assert_eq!((mode_of(&top), mode_of(&top.join(".git")), mode_of(&top.join("a"))), (0o700, 0o700, 0o755));
    assert_eq!(owner_of(&top.join("a/b")), Owner::me().uid, "nobody else exchanges what lies in it");
    assert_eq!(owner_of(&top.join("a/b/1")), other().uid);
    assert_eq!(owner_of(&outside.join("1")), Owner::me().uid);
}

/// The agent keeps its repository elsewhere, and changes its settings while the runner's git reads them.
#[test]
fn what_leads_to_a_repository_elsewhere_is_removed() {
    let (_directory, top, outside) = places();
    symlink(&outside, top.join(".git")).unwrap();
    take(&top, other().uid).unwrap();
    assert!(!top.join(".git").is_symlink() && outside.join("1").exists());
    fs::write(top.join(".git"), format!("gitdir: {}\n", outside.display())).unwrap();
    symlink(&outside, top.join("a/link")).unwrap();
    take(&top, other().uid).unwrap();
    assert!(!top.join(".git").exists() && top.join("a/link").is_symlink());
}

/// The agent puts something under the name that it expects a copy to get.
#[test]
fn what_lies_where_a_copy_is_made_stops_nothing() {
    let (_directory, top, outside) = places();
    fs::create_dir_all(top.join(".git/refs")).unwrap();
    for name in [".git/config", ".git/refs/head"] {
        fs::write(top.join(name), "sound").unwrap();
    }
    fs::create_dir_all(top.join(format!(".git/{COPY}0/inner"))).unwrap();
    symlink(&outside, top.join(format!(".git/{COPY}1"))).unwrap();
    fs::write(top.join(format!(".git/{COPY}2")), "theirs").unwrap();
    symlink("nowhere", top.join(format!(".git/refs/{COPY}0"))).unwrap();
    let mut kept = fs::File::options().append(true).open(top.join(".git/config")).unwrap();
    give(&top, other()).unwrap();
    take(&top, other().uid).unwrap();
    io::Write::write_all(&mut kept, b"[core]\n\tfsmonitor = evil\n").unwrap();
    for name in [".git/config", ".git/refs/head"] {
        assert_eq!(fs::read_to_string(top.join(name)).unwrap(), "sound", "{name}");
    }
    assert_eq!(fs::read_to_string(outside.join("1")).unwrap(), "kept");
}

/// Three files of 1 GiB that take no place on the disk would take three as copies.
#[test]
fn copies_have_a_bound_together() {
    let (_directory, top, _outside) = places();
    fs::create_dir_all(top.join(".git")).unwrap();
    for name in ["one", "two"] {
        let file = fs::File::create(top.join(".git").join(name)).unwrap();
        file.set_len(MOST_COPIED).unwrap();
    }
    let mut taking = Taking { me: Owner::me(), from: other().uid, copied: 1, failed: None };
    let repository = open(CWD, top.join(".git"), OFlags::DIRECTORY).unwrap();
    taking.content(&repository, 1, Part::Repository);
    assert!(taking.failed.unwrap().to_string().contains("1 GiB"));
    assert!(fs::metadata(top.join(".git/one")).unwrap().blocks() < 100, "nothing was copied");
}

/// The agent lets itself into what will be made in the repository, by an access list that outlives the mode.
#[test]
fn access_lists_of_a_repository_are_removed() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};

    let (_directory, top, _outside) = places();
    fs::create_dir_all(top.join(".git/objects")).unwrap();
    // Version 2; the user has all rights, 65534 too, the group and others none; the mask hides nothing.
    let entries: [(u16, u16, u32); 5] =
        [(1, 7, u32::MAX), (2, 7, 65_534), (4, 0, u32::MAX), (16, 7, u32::MAX), (32, 0, u32::MAX)];
    let list: Vec<u8> = entries.iter().fold(2_u32.to_le_bytes().to_vec(), |mut list, (tag, rights, id)| {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
        list
    });
    let directories = [top.clone(), top.join(".git"), top.join(".git/objects"), top.join("a")];
    for directory in &directories {
        for name in ACCESS_LISTS {
            if setxattr(directory, name, &list, XattrFlags::empty()).is_err() {
                println!("nothing to test: this file system has no access lists");
                return;
            }
        }
    }
    take(&top, other().uid).unwrap();
    for directory in &directories {
        for name in ACCESS_LISTS {
            let found = getxattr(directory, name, &mut [0_u8; 256]);
            assert_eq!(found, Err(Errno::NODATA), "{} of {}", name, directory.display());
        }
    }
    assert_eq!(mode_of(&top.join(".git/objects")), 0o700);
}
