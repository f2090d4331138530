//! How little of the program is kept in memory while there is nothing to do.
//!
//! A start runs through much code that nothing needs later: it makes the documents of every route. The system keeps what
//! was run mapped, here more than all the data of a server at rest. What is needed again comes back from the system's
//! cache of files, in less time than a request takes.

/// Lets go of the program's code: 12 MB less at rest or so. Where the system says nothing of it, it stays.
#[cfg(target_os = "linux")]
pub(crate) fn let_go_of_code() {
    use rustix::mm::{Advice, madvise};

    let (Ok(maps), Ok(program)) = (std::fs::read_to_string("/proc/self/maps"), std::env::current_exe())
    else {
        return;
    };
    for line in maps.lines() {
        let Some((from, length)) = code(line, &program.to_string_lossy()) else { continue };
        #[expect(unsafe_code, reason = "there is no other way to let go of it")]
        // SAFETY: it is code of a file, which nobody writes to in memory: when it is touched again, the same bytes come
        // from the file.
        let _ =
            unsafe { madvise(std::ptr::with_exposed_provenance_mut(from), length, Advice::LinuxDontNeed) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) const fn let_go_of_code() {}

/// Address and length of the program's code, where a line of `/proc/self/maps` is about it.
#[cfg(any(target_os = "linux", test))]
fn code(line: &str, program: &str) -> Option<(usize, usize)> {
    let (place, rest) = line.split_once(' ')?;
    let (from, to) = place.split_once('-')?;
    let [from, to] = [from, to].map(|address| usize::from_str_radix(address, 16).ok());
    let is_code = rest.starts_with("r-xp ") && rest.ends_with(&format!(" {program}"));
    Some((from?, to?.checked_sub(from?)?)).filter(|_| is_code)
}

#[cfg(test)]
mod tests {
    use super::{code, let_go_of_code};

    #[test]
    fn code_that_nobody_wrote_to_is_found() {
        let program = "/opt/svc server";
        let of = |rights: &str, path: &str| {
            code(&format!("5600-5a00 {rights} 00001000 fe:00 12        {path}"), program)
        };
        assert_eq!(of("r-xp", program), Some((0x5600, 0x400)));
        for (rights, path) in
            [("r--p", program), ("rwxp", program), ("r-xp", "/opt/other/svc server2"), ("r-xp", "[vdso]")]
        {
            assert_eq!(of(rights, path), None, "{rights} {path}");
        }
        assert_eq!(code("", program), None);
    }

    /// What was let go is the same when it comes back.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_program_goes_on_after_it() {
        let program = std::env::current_exe().unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        assert!(maps.lines().any(|line| code(line, &program.to_string_lossy()).is_some()));
        let before = sorted();
        let_go_of_code();
        assert_eq!(sorted(), before);
    }

    fn sorted() -> Vec<String> {
        let mut words: Vec<String> =
            (0..1_000).map(|number| format!("{:x}", number * 7_919 % 1_009)).collect();
        words.sort_unstable();
        words
    }
}
