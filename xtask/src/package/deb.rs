//! The Debian package: program, manual, completions, service, and scripts that keep a person's data.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::DIST;
use super::contents::{PackageContents, fresh, install};
use crate::run;

const SOURCE: &str = "packaging/deb";
const SCRIPTS: [&str; 4] = ["config", "postinst", "prerm", "postrm"];
const MAINTAINER: &str = "the pdpp authors <maintainers@pdpp.invalid>";

pub fn build(contents: &PackageContents) -> Result<PathBuf> {
    let stage = fresh("deb")?;
    let root = stage.join("root");
    lay_out(contents, &root)?;
    let architecture = run::output_of(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let version = debian_version(&contents.version);
    let size = run::output_of(Command::new("du").args(["-ks", "--apparent-size"]).arg(&root))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_owned();
    let control = control(&version, architecture, &libraries(contents, &stage)?, &size);
    let debian = root.join("DEBIAN");
    std::fs::create_dir_all(&debian)?;
    std::fs::write(debian.join("control"), control)?;
    std::fs::write(debian.join("conffiles"), "/etc/default/pdpp\n")?;
    std::fs::write(debian.join("md5sums"), sums(&root)?)?;
    install(&Path::new(SOURCE).join("templates"), &debian.join("templates"), "644")?;
    for script in SCRIPTS {
        install(&Path::new(SOURCE).join(script), &debian.join(script), "755")?;
    }
    // Whatever this machine's habits are, an installed directory can be entered by everybody.
    run::output_of(Command::new("chmod").args(["--recursive", "u=rwX,go=rX"]).arg(&root))?;
    let made = Path::new(DIST).join(format!("pdpp_{version}_{architecture}.deb"));
    run::output_of(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "--build"])
            .arg(&root)
            .arg(&made)
            .env("SOURCE_DATE_EPOCH", &contents.epoch),
    )?;
    Ok(made)
}

/// The tree as it will lie on the machine.
fn lay_out(contents: &PackageContents, root: &Path) -> Result<()> {
    let ours = |name: &str| Path::new(SOURCE).join(name);
    let documents = root.join("usr/share/doc/pdpp");
    install(&contents.program, &root.join("usr/bin/pdpp"), "755")?;
    install(&ours("pdpp.service"), &root.join("usr/lib/systemd/system/pdpp.service"), "644")?;
    install(&ours("default"), &root.join("etc/default/pdpp"), "644")?;
    install(&ours("copyright"), &documents.join("copyright"), "644")?;
    install(Path::new("CHANGELOG.md"), &documents.join("CHANGELOG.md"), "644")?;
    std::fs::write(documents.join("changelog"), changelog(contents)?)?;
    let mut compressed = vec![documents.join("CHANGELOG.md"), documents.join("changelog")];
    for page in contents.pages()? {
        let name = page.file_name().context("a page without a name")?;
        let there = root.join("usr/share/man/man1").join(name);
        install(&page, &there, "644")?;
        compressed.push(there);
    }
    run::output_of(Command::new("gzip").args(["-9n"]).args(&compressed))?;
    for (shell, script) in &contents.completions {
        let directory = match *shell {
            "bash" => "usr/share/bash-completion/completions",
            "zsh" => "usr/share/zsh/vendor-completions",
            "fish" => "usr/share/fish/vendor_completions.d",
            other => bail!("no place for the completions of {other}"),
        };
        let name = script.file_name().context("a script without a name")?;
        install(script, &root.join(directory).join(name), "644")?;
    }
    Ok(())
}

/// What Debian's tools read; people read ours.
fn changelog(contents: &PackageContents) -> Result<String> {
    let version = debian_version(&contents.version);
    let mut date = Command::new("date");
    date.args(["--utc", "--rfc-email", "--date"]).arg(format!("@{}", contents.epoch));
    let date = run::output_of(date.env("LC_ALL", "C"))?;
    Ok(format!(
        "pdpp ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md.gz in this directory.\n\n \
         -- {MAINTAINER}  {date}"
    ))
}

/// The packages whose libraries the program needs, found by looking at it.
fn libraries(contents: &PackageContents, stage: &Path) -> Result<String> {
    // The tool wants to stand in a source package.
    std::fs::create_dir_all(stage.join("debian"))?;
    std::fs::write(
        stage.join("debian/control"),
        "Source: pdpp\n\nPackage: pdpp\nArchitecture: any\n",
    )?;
    let mut look = Command::new("dpkg-shlibdeps");
    look.arg("-O").arg(&contents.program).current_dir(stage);
    let said = run::output_of(&mut look).context("needs the Debian package `dpkg-dev`")?;
    let found = said.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    Ok(found.context("dpkg-shlibdeps named no library")?.to_owned())
}

fn control(version: &str, architecture: &str, libraries: &str, size: &str) -> String {
    format!(
        "Package: pdpp\nVersion: {version}\nArchitecture: {architecture}\nSection: net\n\
         Priority: optional\nInstalled-Size: {size}\n\
         Maintainer: {MAINTAINER}\n\
         Depends: {libraries}, adduser, debconf (>= 0.5) | debconf-2.0\n\
         Recommends: ca-certificates\n\
         Description: personal data server for AI agents\n \
         Keeps mail, chats, notes, orders and exports in one place of your own and\n \
         lets an agent read exactly what you allow: these accounts, these fields,\n \
         this period. Agents speak MCP; you decide in a browser and can\n \
         end it at any moment.\n"
    )
}

/// Debian sorts `~` before everything, which is where a pre-release belongs.
fn debian_version(version: &str) -> String {
    version.replacen('-', "~", 1)
}

/// The digest of each file, as `dpkg --verify` reads them.
fn sums(root: &Path) -> Result<String> {
    let script =
        "find . -path ./DEBIAN -prune -o -type f -printf '%P\\0' | sort -z | xargs -0 md5sum";
    run::output_of(Command::new("sh").args(["-c", script]).current_dir(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pre_release_comes_before_its_release() {
        assert_eq!(debian_version("0.2.0"), "0.2.0");
        assert_eq!(debian_version("0.2.0-rc.1"), "0.2.0~rc.1");
    }

    #[test]
    fn the_control_file_is_one_paragraph_of_fields() {
        let control = control("0.1.0", "amd64", "libc6 (>= 2.34)", "42");
        assert!(control.contains("\nDepends: libc6 (>= 2.34), adduser, debconf"));
        assert!(control.ends_with('\n') && !control.contains("\n\n"), "{control}");
        let is_field = |line: &str| line.starts_with(' ') || line.contains(": ");
        assert!(control.lines().all(is_field), "{control}");
    }
}
